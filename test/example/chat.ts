import { InferenceClient } from '../../src/api/inferenceClient.ts';
import { createTransport } from '../../src/api/transport/createTransport.ts';
import { chatCompletion } from '../../src/api/operations/chatCompletion.ts';

const baseUrl = new URL(process.env['PARLANCE_BASE_URL'] ?? 'http://127.0.0.1:8787/v1');
const apiKey = process.env['SERVICE_API_KEY'] ?? 'local-key';
const endpoint = { baseUrl, nativeUrl: new URL('/api', baseUrl), apiKey };
const client = new InferenceClient({ endpoint: () => Promise.resolve(endpoint), transport: createTransport() });
const messages = [{ role: 'user', content: process.argv[2] ?? 'Hello' }] as const;
for await (const event of client.stream(chatCompletion({ model: 'local/echo', messages, stream: true }))) {
  if (event.type === 'text') process.stdout.write(event.text);
}
client.dispose();
