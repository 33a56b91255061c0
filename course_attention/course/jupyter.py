"""JupyterLab as the workspace meets it: the server that already runs there, and whether it trusts a notebook."""

from collections.abc import Iterable
from pathlib import Path


def running_server(folder: Path) -> str | None:
    """Return the address of a Jupyter server of this user that serves `folder`, or None where there is none."""
    from jupyter_server.serverapp import list_running_servers

    for server in list_running_servers():
        if Path(server["root_dir"]).resolve() == folder.resolve():
            token = f"?token={server['token']}" if server.get("token") else ""
            return f"{server['url']}lab{token}"
    return None


def sign(notebooks: Iterable[Path]) -> list[Path]:
    """Sign notebooks, so that JupyterLab shows their saved cards instead of the cards' source.

    Returns:
        Those that were not signed, because Jupyter's store of signatures could not be written or the file not read:
        their cards show after the next run.
    """
    import nbformat
    from nbformat.sign import NotebookNotary

    refused = []
    for path in notebooks:
        try:
            NotebookNotary().sign(nbformat.read(path, as_version=4))
        except Exception:  # noqa: BLE001 - whatever a broken file or store raises, the course starts all the same
            refused.append(path)
    return refused
