"""JupyterLab in a container: what differs from lab/jupyter, which is read before this."""

import os

c = get_config()  # noqa: F821 (Jupyter defines it)

c.ServerApp.ip = "0.0.0.0"  # of the container; who can reach it is the matter of what publishes its port
c.ServerApp.open_browser = False
c.ServerApp.allow_remote_access = "JUPYTERHUB_API_TOKEN" in os.environ  # by a hub's own name; otherwise only by localhost's
c.LabApp.default_url = "/lab/tree/notebooks/00_start_here.ipynb"
