"""The page around the picture: shell, menu, inputs."""
