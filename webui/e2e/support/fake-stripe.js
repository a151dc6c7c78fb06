// Fake of Stripe's browser script: same calls, a plain form, and a record of the calls.
window.stripeCalls = [];

const note = (name, details) => window.stripeCalls.push({ name, details });

window.Stripe = (key) => {
  note("Stripe", { key });
  return {
    elements(options) {
      note("elements", options);
      return {
        create: (kind, own) => makeElement(kind, own),
        getElement: () => null,
        update: (changed) => note("update", changed),
        submit: async () => ({}),
        on() {},
      };
    },
    createToken() {},
    confirmCardPayment() {},
    registerAppInfo() {},
    _registerWrapper() {},
    async createPaymentMethod({ params }) {
      note("createPaymentMethod", params);
      const number = document.querySelector("#stand-in-card").value;
      if (number === "0002") return { error: { message: "Your card number is incomplete." } };
      return { paymentMethod: { id: "pm_stand_in" } };
    },
    async handleNextAction(details) {
      note("handleNextAction", details);
      return {};
    },
  };
};

function makeElement(kind) {
  const listeners = {};
  const element = {
    on(name, listener) {
      listeners[name] = listener;
      return element;
    },
    once: () => element,
    off: () => element,
    update() {},
    destroy() {},
    mount(container) {
      const label = document.createElement("label");
      const input = document.createElement("input");
      input.id = label.htmlFor = "stand-in-card";
      label.textContent = "Card of the stand-in";
      container.replaceChildren(label, document.createElement("br"), input);
      setTimeout(() => listeners.ready?.({ elementType: kind }), 0);
    },
  };
  return element;
}
