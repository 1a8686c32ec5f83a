"""Where an element is hit: the facts that the page script reports, the point, and the hit guard.

`Element` and the actions of the mouse use this package. It knows no tool and sends no input.
"""
