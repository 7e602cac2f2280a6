import OpenAI from 'openai';
import { serveTasks } from '../client/clientProcess.ts';

serveTasks({
  async stream(base, text) {
    const client = new OpenAI({ baseURL: base, apiKey: 'bench' });
    const chunks = await client.chat.completions.create({
      model: 'bench',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
    });
    for await (const { choices } of chunks) {
      const content = choices[0]?.delta.content;
      if (content) text(content);
    }
  },
});
