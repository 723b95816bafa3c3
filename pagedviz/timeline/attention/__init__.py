"""One query reading its blocks through a table: what lies where, each step, and its words."""
