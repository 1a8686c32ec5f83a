"""What the user chose, parsed and checked: settings, secrets, origins, proxies, emulation.

Every layer may import it; it imports nothing of the product but `errors`.
"""
