"""The story of the start page: scenes, their beats, what each says and what its picture shows."""
