import { ClientBench, type ClientName, clientLabels, clientNames } from '../client/clientBench.ts';
import { figure, median, ratios, type RowSet, takeTurns } from '../figure.ts';

const replies = 60;

export const firstDeltaRows: RowSet = {
  name: 'first-delta',
  title: 'The client: the first delta',
  method:
    'From just before the service writes the first event of a reply whose response is already open until the ' +
    `client returns its text; the text is the time of writing. Each round is the median of ${replies} ` +
    'replies.',
  async run({ rounds, say }) {
    const clients = await ClientBench.open();
    try {
      for (const name of clientNames) await clients.run(name, 'first', { repeats: 20 });
      say(`${rounds} rounds of ${replies} replies`);
      const delays = await takeTurns(clientNames, rounds, async (name) => {
        const { delaysUs } = await clients.run(name, 'first', { repeats: replies });
        if (delaysUs.length !== replies) throw new Error(`${clientLabels[name]} gave ${delaysUs.length} moments`);
        return median(delaysUs);
      });
      const goals: Partial<Record<ClientName, number>> = { parlance: 1.5 };
      return [
        ...clientNames.map((name) => figure(`first delta: ${clientLabels[name]}`, delays[name], 'µs')),
        ...clientNames
          .filter((name) => name !== 'raw')
          .map((name) =>
            figure(
              `first delta: ${clientLabels[name]} ÷ raw bytes`,
              ratios(delays[name], delays.raw),
              '×',
              goals[name],
            ),
          ),
      ];
    } finally {
      clients.close();
    }
  },
};
