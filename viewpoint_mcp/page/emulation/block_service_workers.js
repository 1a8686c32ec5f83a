// Runs in a page's own world, before its scripts: registering a service worker fails, as where the
// user forbids it.
if (self.ServiceWorkerContainer) {
  Object.defineProperty(ServiceWorkerContainer.prototype, "register", {
    configurable: true,
    enumerable: true,
    writable: true,
    value: async function register() {
      throw new DOMException("Service workers are blocked.", "SecurityError");
    },
  });
}
