"""Tools for language models over the Model Context Protocol: read, analyse, fetch, propose; never approve.

Each tool is one request to the JSON API with the caller's own key, so that its role and scopes count, and every run is
on the trail. There is no tool that approves, revokes or sends. Needs `pip install 'postroom[mcp]'`.
"""
