import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';
import { serveTasks } from '../client/clientProcess.ts';

serveTasks({
  async stream(base, text) {
    const provider = createOpenAICompatible({ name: 'bench', baseURL: base, apiKey: 'bench' });
    const { textStream } = streamText({
      model: provider('bench'),
      messages: [{ role: 'user', content: 'Hello' }],
      onError: ({ error }) => {
        throw error;
      },
    });
    for await (const piece of textStream) text(piece);
  },
});
