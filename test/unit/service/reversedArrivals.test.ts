import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { reverseArrivals } from '../../service/reversedArrivals.ts';

describe('A service that reverses arrivals', () => {
  let taken: string[];
  let arrive: (url: string, method?: string) => ServerResponse;

  beforeEach(() => {
    taken = [];
    const take = reverseArrivals(({ url = '' }) => void taken.push(url));
    arrive = (url, method = 'POST') => {
      const request = Object.assign(new IncomingMessage(new Socket()), { method, url });
      const response = new ServerResponse(request);
      take(request, response);
      return response;
    };
  });

  async function all(count: number): Promise<void> {
    while (taken.length < count) await setTimeout(5);
  }

  it('takes requests that arrive together last to first', async () => {
    for (const url of ['one', 'two', 'three']) arrive(url);
    await all(3);
    assert.deepEqual(taken, ['three', 'two', 'one']);
  });

  it('takes requests that arrive one after another in their order', async () => {
    for (const [index, url] of ['one', 'two'].entries()) {
      arrive(url);
      await all(index + 1);
    }
    assert.deepEqual(taken, ['one', 'two']);
  });

  it('takes anything but a POST request at once', () => {
    arrive('models', 'GET');
    assert.deepEqual(taken, ['models']);
  });

  it("doesn't take a request whose client is gone", async () => {
    arrive('gone').destroy();
    arrive('still there');
    await all(1);
    assert.deepEqual(taken, ['still there']);
  });
});
