"""The background server of a workspace: its process, its sessions, its start and its end."""
