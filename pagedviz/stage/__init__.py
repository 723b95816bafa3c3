"""The animated picture: the Streamlit component, and what is sent to it."""
