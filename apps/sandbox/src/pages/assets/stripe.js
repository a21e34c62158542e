/** A stand-in for the part of Stripe.js that a payment page needs. The bank's page in its dialog is the sandbox's own. */
(() => {
  const ORIGIN = new URL(document.currentScript.src).origin;
  const POLL_MS = 300;

  const cards = [
    ['pm_card_visa', 'Visa •••• 4242, pays'],
    ['pm_card_mastercard', 'Mastercard •••• 4444, pays'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'Visa •••• 9995, has no money'],
    ['pm_card_authenticationRequired', 'Visa •••• 3184, asks its bank each time'],
  ];

  async function call(method, path, fields) {
    const form = new URLSearchParams(fields);
    const get = method === 'GET';
    const response = await fetch(`${ORIGIN}${path}${get ? `?${form}` : ''}`, {
      method,
      body: get ? undefined : form,
    });
    return response.json();
  }

  const idOf = (secret) => secret.split('_secret_')[0];

  /** Shows the bank's page until the intent no longer waits for it. */
  async function challenge(kind, secret) {
    const dialog = document.createElement('dialog');
    dialog.style.cssText =
      'width:min(480px,100vw);height:min(680px,100vh);padding:0;border:0;border-radius:16px;overflow:hidden';
    dialog.setAttribute('aria-label', "Your bank's page");
    const frame = document.createElement('iframe');
    frame.src = `${ORIGIN}/authenticate/${idOf(secret)}`;
    frame.title = "Your bank's page";
    frame.style.cssText = 'width:100%;height:100%;border:0;display:block';
    dialog.append(frame);
    document.body.append(dialog);
    let closed = false;
    dialog.addEventListener('close', () => (closed = true));
    dialog.showModal();
    try {
      for (;;) {
        const intent = await call('GET', `/v1/${kind}s/${idOf(secret)}`, { client_secret: secret });
        if (closed || intent.status !== 'requires_action') return intent;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    } finally {
      dialog.remove();
    }
  }

  async function confirm(kind, secret, fields) {
    const answer = await call('POST', `/v1/${kind}s/${idOf(secret)}/confirm`, {
      client_secret: secret,
      ...fields,
    });
    if (answer.error) return { error: answer.error };
    const intent = answer.status === 'requires_action' ? await challenge(kind, secret) : answer;
    if (intent.error) return { error: intent.error };
    if (intent.status === 'requires_action') return { error: { message: "The bank's page was closed." } };
    const problem = intent.last_payment_error ?? intent.last_setup_error;
    return intent.status === 'requires_payment_method' ? { error: problem } : { intent };
  }

  function cardElement() {
    const select = document.createElement('select');
    select.setAttribute('aria-label', 'Test card');
    select.className = 'provider-card';
    for (const [id, text] of cards) select.append(new Option(text, id));
    return {
      select,
      mount: (target) =>
        (typeof target === 'string' ? document.querySelector(target) : target).replaceChildren(select),
      focus: () => select.focus(),
      on: () => undefined,
      destroy: () => select.remove(),
    };
  }

  const confirmAs = (kind, shown) => async (secret, data) => {
    const method = data?.payment_method;
    const fields = method === undefined ? {} : { payment_method: method.card?.select.value ?? method };
    const { intent, error } = await confirm(kind, secret, fields);
    return error ? { error } : { [shown]: intent };
  };

  window.Stripe = () => ({
    elements: () => ({ create: cardElement }),
    confirmCardPayment: confirmAs('payment_intent', 'paymentIntent'),
    confirmCardSetup: confirmAs('setup_intent', 'setupIntent'),
  });
})();
