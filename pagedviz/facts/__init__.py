"""What the field calls things, what was published when, and who said so: plain data.

Every entry is checked when it is made (an empty text, a source that does not exist) and every
link between entries by the tests. Leaves out: anything computed; that is the engine's.
"""
