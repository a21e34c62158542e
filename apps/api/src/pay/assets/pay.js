/** The behaviour of the pay page. Every text it shows is already in the page. */
const page = document.querySelector('main');
const { base, key, saving = 'Saving the card and paying…' } = page.dataset;
const problem = document.getElementById('problem');
const status = document.getElementById('status');
const forms = {
  authenticate: document.getElementById('authenticate'),
  card: document.getElementById('card'),
};
const POLL_MS = 1500;
const MAX_POLLS = 40;

async function call(method, path, body) {
  const response = await fetch(`${base}/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail ?? 'Something went wrong. Please try again.');
  return answer;
}

function tell(text) {
  status.textContent = text;
}

function fail(text) {
  problem.hidden = false;
  problem.textContent = text;
  problem.focus();
}

/** Waits until the payment is no longer in progress, then reloads the page to show its state. */
async function finish(state) {
  let now = state;
  for (let polls = 0; now === 'under_way' && polls < MAX_POLLS; polls += 1) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    try {
      ({ state: now } = await call('POST', 'refresh'));
    } catch {
      // Too many polls, or an unreachable provider: the next poll asks again.
    }
  }
  location.reload();
}

/** Runs one action at a time, and shows its errors. */
async function run(form, words, action) {
  const button = form.querySelector('button');
  problem.hidden = true;
  button.disabled = true;
  page.setAttribute('aria-busy', 'true');
  tell(words);
  try {
    await action();
  } catch (error) {
    tell('');
    fail(error.message);
  } finally {
    button.disabled = false;
    page.removeAttribute('aria-busy');
  }
}

const stripe = key === '' || typeof window.Stripe !== 'function' ? null : window.Stripe(key);

async function authenticate() {
  const { client_secret, payment_method } = await call('POST', 'authentication');
  const { error } = await stripe.confirmCardPayment(
    client_secret,
    payment_method === null ? {} : { payment_method },
  );
  const { state } = await call('POST', 'refresh');
  if (error && state === 'authenticate') throw new Error(error.message);
  await finish(state);
}

function takeCard() {
  const card = stripe.elements().create('card', { hidePostalCode: true });
  card.mount('#card-element');
  forms.card.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(forms.card, saving, async () => {
      const { client_secret, payment_method } = await call('POST', 'card');
      const { setupIntent, error } = await stripe.confirmCardSetup(client_secret, {
        payment_method: { card },
      });
      if (error) throw new Error(error.message);
      const body = { payment_method, payment_method_id: setupIntent.payment_method };
      await finish((await call('PUT', 'card', body)).state);
    });
  });
}

/** Shows the link to the invoice once it is there; the text before it says what to do where it takes longer. */
async function showInvoice(due, link) {
  let state = 'due';
  for (let polls = 0; state === 'due' && polls < MAX_POLLS; polls += 1) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    try {
      const response = await fetch(`${base}/invoice`);
      if (response.ok) ({ state } = await response.json());
    } catch {
      // The next poll asks again.
    }
  }
  link.hidden = state !== 'ready';
  due.hidden = state === 'ready';
  if (state !== 'ready') due.textContent = due.dataset.later;
}

const invoiceDue = document.getElementById('invoice-due');
if (invoiceDue !== null) void showInvoice(invoiceDue, document.getElementById('invoice'));

if (page.dataset.state === 'under_way') void finish('under_way');
else if (forms.card !== null && stripe === null) {
  fail('The card provider cannot be reached from here. Please check your connection, or ask the merchant.');
} else if (forms.card !== null) {
  takeCard();
  forms.authenticate?.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(forms.authenticate, 'Your bank is asked…', authenticate);
  });
}
