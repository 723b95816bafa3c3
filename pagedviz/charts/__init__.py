"""Figures and tables: a timeline in, a Plotly figure or a data frame out.

Nothing here computes state or asks Streamlit for anything.
"""
