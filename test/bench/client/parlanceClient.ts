import { InferenceClient } from '../../../src/api/inferenceClient.ts';
import { createTransport } from '../../../src/api/transport/createTransport.ts';
import { serveTasks } from './clientProcess.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';

let baseUrl = new URL('http://127.0.0.1');
const client = new InferenceClient({
  endpoint: () => Promise.resolve({ baseUrl, nativeUrl: baseUrl, apiKey: 'bench' }),
  transport: createTransport(),
});

serveTasks({
  async stream(base, text) {
    baseUrl = new URL(base);
    for await (const event of client.stream(
      chatCompletion({
        model: 'bench',
        messages: [{ role: 'user', content: 'Hello' }],
        stream: true,
      }),
    )) {
      if (event.type === 'text') text(event.text);
    }
  },
});
