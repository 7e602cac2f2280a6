import assert from 'node:assert/strict';
import { json, startRawServer } from './rawServer.ts';
import { hello, outcomeOf, testClient } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';

const reply = json(200, { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] });

describe('Thirty requests in quick succession,', () => {
  const servers: readonly (readonly [string, number, Parameters<typeof startRawServer>[0]])[] = [
    ['closes the connection with each reply', 30, (socket) => socket.end(reply)],
    [
      'closes the connection right after each reply',
      30,
      (socket) => socket.write(reply, () => setImmediate(() => socket.end())),
    ],
    ['keeps the connection', 1, (socket) => socket.write(reply)],
  ];
  for (const [name, connections, respond] of servers) {
    it(`all get their reply from a server that ${name}, and each is sent once`, async () => {
      const server = await startRawServer(respond);
      const { client, dispose } = testClient(server.origin);
      for (let count = 0; count < 30; count++) {
        const { text, failure } = await outcomeOf(client.stream(chatCompletion(hello)));
        assert.equal(text, 'Hi', JSON.stringify(failure));
      }
      assert.equal(server.requests.length, 30);
      assert.ok(server.accepted() <= connections);
      dispose();
      await server.close();
    });
  }
});
