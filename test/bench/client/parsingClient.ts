import { createParser } from 'eventsource-parser';
import { request } from 'undici';
import { serveTasks } from './clientProcess.ts';

/** The minimum that returns text: a parser of events and of JSON, without any checks. */
serveTasks({
  async stream(base, text) {
    const { body } = await request(`${base}/chat/completions`, { method: 'POST', body: '{}' });
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ data }) => {
        if (data === '[DONE]') return;
        const chunk = JSON.parse(data) as { choices: [{ delta: { content: string } }] };
        text(chunk.choices[0].delta.content);
      },
    });
    body.on('data', (chunk: Buffer) => parser.feed(decoder.decode(chunk, { stream: true })));
    await new Promise<void>((resolve, reject) => {
      body.on('end', resolve);
      body.on('error', reject);
    });
  },
});
