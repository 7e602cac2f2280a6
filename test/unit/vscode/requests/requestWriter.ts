// A window in its own process: records requests in the shared folder and reports its progress.
import type { InferenceCalls } from '../../../../src/core/requests/inferenceCalls.ts';
import { openRequestLog } from '../../../../src/vscode/requests/openRequestLog.ts';
import { chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';

const [folder = '', writer = '', count = '0'] = process.argv.slice(2);
const onError = (error: unknown) => {
  throw error;
};
/** Repeats the question, and reports it like the service's client. */
const other = () => Promise.reject(new Error('asked of nobody'));
const service: InferenceCalls = {
  async *stream({ request }, options) {
    const url = new URL('https://service.test/v1/chat/completions');
    options?.observer?.sending?.({ method: 'POST', url, text: JSON.stringify(request) });
    yield { type: 'text', text: JSON.stringify(request.messages) };
    yield { type: 'end', complete: true };
  },
  ask: other,
};
const { calls, history } = openRequestLog({
  callsOf: () => service,
  folder,
  limits: () => ({ maxCount: 100_000, maxBytes: 100_000_000 }),
  keepsBodies: () => true,
  clean: (data) => data,
  cleanBody: (data) => data,
  onError,
});
for (let number = 1; number <= Number(count); number += 1) {
  const content = `${writer} ${number} ${'x'.repeat(500)}`;
  for await (const event of calls.to('service').stream(
    chatCompletion({
      model: `${writer}/${number}`,
      messages: [{ role: 'user', content }],
      stream: true,
    }),
  ))
    void event;
  await history.flush();
  process.send?.(number);
}
process.disconnect();
