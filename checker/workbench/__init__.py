"""The workbench: the audit in a browser, on this machine only.

A page is a function of `pages/` that takes the workspace and what was asked for, and gives a
template with its data; it knows no server. `server.py` serves pages, `export.py` writes them as
files, `guard.py` decides who may ask, `folder.py` what may be read. What takes long (a replay, a
proof, a comparison of texts) is the ordinary command in a process of its own: `processes/`.
"""
