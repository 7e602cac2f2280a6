import assert from 'node:assert/strict';
import type { Exchange } from '../../../src/api/exchange.ts';
import type { InferenceClient } from '../../../src/api/inferenceClient.ts';
import type { CallOptions } from '../../../src/api/callOptions.ts';
import type { Operation } from '../../../src/api/operations/operation.ts';

/** What the service or a proxy did nothing for, or says of a server behind it; a chat is asked once more after 500 and 504. */
const repeatable = new Set([400, 404, 405, 407, 422, 429, 500, 501, 502, 503, 504]);

const faults: string[] = [];

/** The client, with an eye on each call that costs money: after an answer, no second request may follow. */
export function withoutSecondRequest(client: InferenceClient): InferenceClient {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'stream' && name !== 'ask') return value.bind(target) as unknown;
      return (operation: Operation, options: CallOptions = {}): unknown => {
        const isPaid = operation.method === 'POST';
        const observer = isPaid ? observed(operation.name, options.observer) : options.observer;
        return value.call(target, operation, { ...options, ...(observer !== undefined && { observer }) }) as unknown;
      };
    },
  });
}

function observed(call: string, inner: CallOptions['observer']): NonNullable<CallOptions['observer']> {
  let answered: Exchange | undefined;
  return {
    ...inner,
    sending: (request) => {
      // Some servers say with status 200 that they lack a path: another one may be asked.
      const isOtherPath = answered?.failure === 'streamError' && answered.path !== request.url.pathname;
      if (answered !== undefined && !isOtherPath) {
        const { status, failure, outcome } = answered;
        faults.push(`${call}: ${request.url.pathname} after ${status ?? 'no status'}, ${failure ?? outcome}`);
      }
      inner?.sending?.(request);
    },
    exchanged: (exchange) => {
      const { status } = exchange;
      const isRedirect = status !== undefined && status >= 300 && status <= 399 && status !== 303;
      if (status !== undefined && !repeatable.has(status) && !isRedirect) answered = exchange;
      inner?.exchanged?.(exchange);
    },
  };
}

// Whatever a test is about. Where there is no test there is nothing to fail.
if (typeof afterEach === 'function') {
  afterEach('nothing that costs money was sent twice', () => {
    assert.deepEqual(faults.splice(0), []);
  });
}
