"""JupyterLab for this course: on this machine only, its one kernel, and no calls to anyone else."""

c = get_config()  # noqa: F821 (Jupyter defines it)

c.ServerApp.ip = "127.0.0.1"
c.ServerApp.port_retries = 0
c.ServerApp.use_redirect_file = False  # browsers in a sandbox cannot read it
c.ServerApp.terminals_enabled = False
c.ServerApp.allow_remote_access = False  # requests for another host name are refused, whatever page makes a browser send them
c.ServerApp.answer_yes = True  # one Ctrl-C stops it
c.KernelSpecManager.allowed_kernelspecs = {"seq2attn"}
c.KernelSpecManager.ensure_native_kernel = False
c.MappingKernelManager.default_kernel_name = "seq2attn"
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"
c.LabApp.news_url = None
c.LabApp.extension_manager = "readonly"
