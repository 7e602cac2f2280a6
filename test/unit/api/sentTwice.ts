import type { Exchange } from '../../../src/api/exchange.ts';
import type { InferenceClient } from '../../../src/api/inferenceClient.ts';
import type { CallOptions } from '../../../src/api/callOptions.ts';
import type { Operation } from '../../../src/api/operations/operation.ts';
import { failOnFaults } from '../../workbench/failOnFaults.ts';

/**
 * Statuses for which the service or a proxy did nothing, or that are about a server behind it. A chat is retried once
 * after 500 and 504.
 */
const repeatable = new Set([400, 404, 405, 407, 422, 429, 500, 501, 502, 503, 504]);

const faults: string[] = [];

/** The client, with a check for each call that costs money: no second request may follow a response. */
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
      // Some servers report with status 200 that they lack a path, so another one can be tried.
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

// Applies to every test. Outside of tests, nothing can fail.
if (typeof afterEach === 'function') {
  failOnFaults('nothing that costs money was sent twice', async () => faults.splice(0));
}
