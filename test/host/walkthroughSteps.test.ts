import assert from 'node:assert/strict';
import { commandIds, contextKeys } from '../../src/vscode/settings/contributions.ts';
import { WalkthroughSteps } from '../../src/vscode/settings/walkthroughSteps.ts';
import { MemoryMemento } from './memoryMemento.ts';

describe('The step of the walkthrough about models', () => {
  const isDoneBy = (command: string): boolean => {
    const state = new MemoryMemento();
    new WalkthroughSteps(state as never).ran(command);
    return Object(state.get('walkthrough.done'))[0] === contextKeys.modelsUsed;
  };

  it('is completed by everything that compares models, and by what can be done in their view', () => {
    const { measureModels, compareModels, sortModels, filterModels, testModel, showModels, selectModel } = commandIds;
    for (const id of [measureModels, compareModels, sortModels, filterModels, testModel, showModels, selectModel]) {
      assert.equal(isDoneBy(id), true, id);
    }
  });

  it("isn't completed by what is about something else, or part of the first connection", () => {
    const { openChat, runPrompt, selectDefaultModel, setDefaultModel } = commandIds;
    for (const id of [openChat, runPrompt, selectDefaultModel, setDefaultModel]) assert.equal(isDoneBy(id), false, id);
  });
});
