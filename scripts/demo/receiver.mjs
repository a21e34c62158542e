import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

import { Webhook } from 'standardwebhooks';

/**
 * A merchant's endpoint: one path for each kind of event, each with the secret of its webhook. It answers 200 only
 * to what is signed rightly in both ways.
 */
export class Receiver {
  /** @type {{kind: string, object: any, sequence: number, hex: boolean, standard: boolean}[]} */
  messages = [];
  /** How often the service asked whether the endpoint is ours. */
  confirmations = 0;
  /** Called with each message as it comes. */
  onMessage = () => undefined;
  #secrets = new Map();
  #server = createServer((request, response) => this.#take(request, response));

  /** @returns {Promise<string>} its address */
  async start() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** @param {{event_type: string, secret: string, signing_secret: string}} webhook */
  trust(webhook) {
    this.#secrets.set(webhook.event_type, webhook);
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(request, response) {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      if (request.headers['x-service-webhook-type'] === 'WebhookConfirmation') {
        this.confirmations += 1;
        response.writeHead(200).end();
        return;
      }
      const webhook = this.#secrets.get(request.url.slice(1));
      const { kind, object, sequence } = JSON.parse(raw.toString());
      const hex = webhook !== undefined && isHexSigned(raw, request.headers, webhook.secret);
      const standard =
        webhook !== undefined && isStandardSigned(raw, request.headers, webhook.signing_secret);
      const message = { kind, object, sequence, hex, standard };
      this.messages.push(message);
      this.onMessage(message);
      response.writeHead(hex && standard ? 200 : 401).end();
    });
  }
}

/** The digest of the exact bytes, in hexadecimal digits. */
function isHexSigned(raw, headers, secret) {
  const right = createHmac('sha256', secret).update(raw).digest();
  const given = Buffer.from(String(headers['x-service-webhook-signature']), 'hex');
  return given.length === right.length && timingSafeEqual(given, right);
}

/** By the library of Standard Webhooks, which refuses old messages as well. */
function isStandardSigned(raw, headers, secret) {
  try {
    new Webhook(secret).verify(raw.toString(), headers);
    return true;
  } catch {
    return false;
  }
}
