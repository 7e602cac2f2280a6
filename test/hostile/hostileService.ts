import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { samplePicture } from '../ui/page/samplePicture.ts';
import { allHostileWords, hostileWords } from './hostileWords.ts';

/** The service's models, each named with hostile text. */
export const hostileModels = Object.values(hostileWords).map((words, index) => `m${index}/${words}`);
/** Responds with 400, with hostile text in all fields of the error. */
export const refusingModel = 'plain/refusing';
/** Responds with hostile text in every field that can hold some. */
export const answeringModel = 'plain/answering';
/** Generates images with hostile URLs and types. */
export const paintingModel = 'plain/painting';

export interface HostileService {
  readonly baseUrl: string;
  /** Number of requests per path. */
  readonly requests: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** A service that puts hostile text into everything it returns. */
export async function startHostileService(): Promise<HostileService> {
  const requests = new Map<string, number>();
  const picture = await samplePicture(8, 8);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    requests.set(path, (requests.get(path) ?? 0) + 1);
    void answer(path, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = server.address();
  if (place === null || typeof place === 'string') throw new Error('The server has no port');
  const origin = `http://127.0.0.1:${place.port}`;

  async function answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (path.endsWith('/models')) return json(200, { data: [...hostileModels.map(row), ...plainRows] });
    if (path.startsWith('/files/')) {
      response.writeHead(200, {
        'content-type': 'image/png',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`../../${allHostileWords}`)}`,
      });
      response.end(picture);
      return;
    }
    const { model } = await bodyOf(request);
    if (model === refusingModel || (!path.includes('chat') && model !== paintingModel)) {
      return json(400, {
        error: { message: allHostileWords, type: allHostileWords, code: allHostileWords, param: allHostileWords },
      });
    }
    if (!path.includes('chat')) {
      const name = encodeURIComponent(`../${hostileWords['link']}\n${hostileWords['icon']}.png`);
      return json(200, { created: allHostileWords, data: [{ url: `${origin}/files/${name}` }] });
    }
    const chunk = (choice: object, more: object = {}) =>
      `data: ${JSON.stringify({ id: allHostileWords, model: allHostileWords, choices: [{ index: 0, ...choice }], ...more })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ delta: { role: 'assistant', content: Object.values(hostileWords).join('\n\n') } }));
    response.end(`${chunk({ delta: {}, finish_reason: allHostileWords })}data: [DONE]\n\n`);
  }

  return {
    baseUrl: `${origin}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const plainRows = [
  { id: refusingModel },
  { id: answeringModel },
  { id: paintingModel, type: 'image', output_modalities: ['image'] },
];

function row(id: string): object {
  return {
    id,
    name: allHostileWords,
    description: allHostileWords,
    owned_by: allHostileWords,
    type: 'chat',
    pricing: { prompt: allHostileWords, completion: '0.000001' },
    context_length: 4096,
    [allHostileWords]: allHostileWords,
  };
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Object(JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'));
}
