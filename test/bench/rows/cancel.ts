import { setTimeout as pause } from 'node:timers/promises';
import * as tls from 'node:tls';
import { openCancelPhases } from '../../unit/api/cancelPhases.ts';
import { fixture } from '../../unit/api/rawServer.ts';
import { figure, type Figure, type RowSet, takeTurns } from '../figure.ts';

/** Of each phase in one round of the bench. */
const cancelsPerRound = 20;
const mostMs = 250;

export const cancelRows: RowSet = {
  name: 'cancel',
  title: 'A cancel, in every phase of a request',
  method:
    'From the cancel until the server sees its socket close; before there is a connection, until our own ' +
    `socket is closed; during the wait before a retry, until the call ends. Each round has ${cancelsPerRound} ` +
    'cancels per phase, over loopback, by the clock, all in one process. Looking up the name takes long ' +
    "because its threads are kept busy; connecting does because the server's queue is full and accepts " +
    'nothing.',
  async run({ rounds, say }) {
    const authorities = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...authorities, fixture('authority')]);
    const phases = new Map((await openCancelPhases()).map((phase) => [phase.name, phase]));
    try {
      const names = [...phases.keys()];
      say(`${names.length} phases`);
      const times = await takeTurns(
        names,
        rounds * cancelsPerRound,
        async (name) => (await phases.get(name)?.cancelOnce()) ?? Number.NaN,
      );
      const figures: Figure[] = names.flatMap((name) => [
        figure(name, times[name] ?? [], 'ms'),
        figure(`${name}: the slowest`, [Math.max(...(times[name] ?? []))], 'ms', mostMs),
      ]);
      // A proxy closes one when the other closes.
      await pause(100);
      const left = [...phases.values()].reduce((sum, phase) => sum + phase.openConnections(), 0);
      return [...figures, figure('sockets left after all of them', [left], '', 0)];
    } finally {
      tls.setDefaultCACertificates(authorities);
      for (const phase of phases.values()) await phase.close();
    }
  },
};
