import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { Redraw } from '../../../../src/vscode/requests/redraw.ts';

describe("VS Code's redrawing of a tree", () => {
  /** A command that waits for the rows. */
  function waitingFor(redraw: Redraw): { readonly ended: Promise<void>; readonly isWaiting: () => Promise<boolean> } {
    let isOver = false;
    const ended = redraw.ended().finally(() => (isOver = true));
    return {
      ended,
      isWaiting: async () => {
        await pause(5);
        return !isOver;
      },
    };
  }

  it('has ended if there was none', async () => {
    await new Redraw().ended();
  });

  it('ends with the rows of a root, after the roots', async () => {
    const redraw = new Redraw();
    assert.equal(redraw.start(), true);
    const command = waitingFor(redraw);
    redraw.rootsAsked();
    assert.ok(await command.isWaiting());
    redraw.rowsGiven();
    await command.ended;
  });

  it("isn't started again before VS Code asks for the roots, which it gets with what has changed since", () => {
    const redraw = new Redraw();
    assert.equal(redraw.start(), true);
    assert.equal(redraw.start(), false);
    redraw.rootsAsked();
    assert.equal(redraw.start(), true);
  });

  it("doesn't end with the rows that were asked for before the tree changed again", async () => {
    const redraw = new Redraw();
    redraw.start();
    redraw.rootsAsked();
    redraw.start();
    const command = waitingFor(redraw);
    redraw.rowsGiven();
    assert.ok(await command.isWaiting());
    redraw.rootsAsked();
    redraw.rowsGiven();
    await command.ended;
  });

  it('goes on if the tree changes again once the rows were given', async () => {
    const redraw = new Redraw();
    redraw.start();
    const command = waitingFor(redraw);
    redraw.rootsAsked();
    redraw.rowsGiven();
    redraw.start();
    assert.ok(await command.isWaiting());
    redraw.rootsAsked();
    redraw.rowsGiven();
    await command.ended;
  });

  it("isn't waited for forever, and is started again, if VS Code never asks", async () => {
    const redraw = new Redraw(10);
    redraw.start();
    await redraw.ended();
    await pause(10);
    assert.equal(redraw.start(), true);
  });
});
