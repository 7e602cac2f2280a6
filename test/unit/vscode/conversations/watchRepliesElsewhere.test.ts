import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import type { ConversationFact } from '../../../../src/core/chat/conversationRecord.ts';
import type { SessionEvent } from '../../../../src/core/chat/sessionEvent.ts';
import { isWriterAlive } from '../../../../src/vscode/conversations/watchRepliesElsewhere.ts';
import { watchRepliesElsewhere } from '../../../../src/vscode/conversations/watchRepliesElsewhere.ts';
import { heldTimers } from '../../heldTimers.ts';

const periodMs = 5;

describe('A reply that another window writes', () => {
  const ends: (() => void)[] = [];
  const processes: ChildProcess[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
    for (const child of processes.splice(0)) child.kill('SIGKILL');
  });

  /** A process that acts as another window until it's killed. */
  function otherWindow(): { readonly pid: number; readonly die: () => Promise<void> } {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    processes.push(child);
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    assert.ok(child.pid !== undefined);
    return { pid: child.pid, die: () => (child.kill('SIGKILL'), gone) };
  }

  function watched(isAlive = isWriterAlive) {
    const conversation = new Conversation('c1');
    const listeners = new Set<(event: SessionEvent) => void>();
    const session = {
      conversation,
      onEvent: (listener: (event: SessionEvent) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const write = (fact: ConversationFact): void => {
      conversation.apply({ ...fact, writer: 'w2', at: Date.now() });
      if (fact.type === 'replyStarted') for (const tell of listeners) tell({ type: 'messageAdded', id: fact.id });
    };
    const left: string[] = [];
    const waiting: ((id: string) => void)[] = [];
    const watch = (): void => {
      const leave = (id: string): void => {
        left.push(id);
        for (const resolve of waiting.splice(0)) resolve(id);
      };
      ends.push(watchRepliesElsewhere(session, { writer: 'w1', isAlive }, leave, periodMs));
    };
    return { write, watch, left, nextLeft: () => new Promise<string>((resolve) => waiting.push(resolve)) };
  }

  it('is reported once if that window dies without recording an end', async () => {
    const window = otherWindow();
    const { write, watch, left, nextLeft } = watched();
    write({ type: 'replyStarted', id: 'r1', model: 'm', pid: window.pid });
    watch();
    const told = nextLeft();
    await window.die();
    assert.equal(await told, 'r1');
    assert.deepEqual(left, ['r1']);
  });

  it('is also watched if it starts later', async () => {
    const window = otherWindow();
    const { write, watch, nextLeft } = watched();
    watch();
    write({ type: 'replyStarted', id: 'r1', model: 'm', pid: window.pid });
    const told = nextLeft();
    await window.die();
    assert.equal(await told, 'r1');
  });

  it('is no longer watched once it has ended', () => {
    using clock = heldTimers(periodMs);
    let asked = 0;
    const { write, watch, left } = watched(() => (asked += 1) > 0);
    write({ type: 'replyStarted', id: 'r1', model: 'm', pid: 1 });
    watch();
    for (let look = 2; look < 4; look += 1) {
      clock.pass(periodMs);
      assert.deepEqual([asked, clock.running()], [look, 1]);
    }
    write({ type: 'replyEnded', id: 'r1', outcome: 'done', metrics: {} });
    clock.pass(periodMs);
    assert.deepEqual([asked, clock.running(), left], [3, 0, []]);
  });
});
