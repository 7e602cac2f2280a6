import { ClientBench, clientLabels, clientNames } from '../client/clientBench.ts';
import { workloadOf } from '../client/workload.ts';
import { figure, ratios, type RowSet, takeTurns } from '../figure.ts';

export const memoryRows: RowSet = {
  name: 'memory',
  title: 'The client: peak memory',
  method: 'A flood of 200k events in a new process; the most memory that process ever had (VmHWM). The text is kept.',
  async run({ rounds, say }) {
    const clients = await ClientBench.open();
    const workload = workloadOf(200_000);
    try {
      say(`${rounds} rounds of new processes`);
      const peaks = await takeTurns(clientNames, rounds, async (name) => {
        clients.end(name);
        const { peakBytes } = await clients.run(name, 'flood', { workload });
        return peakBytes / 2 ** 20;
      });
      return [
        ...clientNames.map((name) => figure(`peak memory, 200k events: ${clientLabels[name]}`, peaks[name], 'MB')),
        figure('peak memory: Parlance ÷ raw bytes', ratios(peaks.parlance, peaks.raw), '×', 1.1),
        figure('peak memory: Parlance ÷ parser', ratios(peaks.parlance, peaks.parser), '×'),
      ];
    } finally {
      clients.close();
    }
  },
};
