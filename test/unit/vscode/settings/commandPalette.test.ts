import assert from 'node:assert/strict';
import { commandIds } from '../../../../src/vscode/settings/contributions.ts';
import { contributes, strings, submenuIds } from './manifest.ts';

describe('The command palette', () => {
  const when = new Map(contributes.menus['commandPalette']?.map((entry) => [entry.command, entry.when]));
  const titles = contributes.commands.map(
    ({ command, title }) => [command, strings[title.slice(1, -1)] ?? ''] as const,
  );
  /** Menus of rows, and their submenus. */
  const rowMenus = ['view/item/context', submenuIds.copyRequest];
  const inMenus = (menus: readonly string[]) =>
    new Set(menus.flatMap((menu) => contributes.menus[menu] ?? []).flatMap(({ command }) => command ?? []));
  const onRows = inMenus(rowMenus);

  it('always offers at most 38 commands', () => {
    // Each additional command makes the others harder to find: actions on a row or a view belong in its menu.
    assert.ok(titles.filter(([command]) => !when.has(command)).length <= 38);
  });

  it('has no action for a row, unless it works on something else too', () => {
    // These don't need a row: the editor's selection, or nothing at all, is enough. Those about a service ask which
    // one, or mean the only one.
    const alsoWithoutRow = new Set<string>([
      commandIds.showService,
      commandIds.testConnection,
      commandIds.setBaseUrl,
      commandIds.setApiKey,
      commandIds.renameService,
      commandIds.removeService,
      commandIds.compareModels,
      commandIds.generateVideo,
      commandIds.generateImage,
      commandIds.measureModels,
      commandIds.keepRequestAsCheck,
    ]);
    const offered = [...onRows].filter((command) => when.get(command) !== 'false' && !alsoWithoutRow.has(command));
    assert.deepEqual(offered, []);
  });

  it("offers commands that depend on the list of services before Parlance starts, based on the user's setting", () => {
    // VS Code turns a list into JSON for such a key.
    const offers = (command: string, services: readonly object[]): boolean => {
      const [, pattern] = / \|\| config\.parlance\.services =~ \/(.+)\/$/.exec(when.get(command) ?? '') ?? [];
      return new RegExp(pattern ?? assert.fail(command)).test(JSON.stringify(services));
    };
    const one = { baseUrl: 'https://one.test/v1', fallbackBaseUrl: 'https://old.test/v1' };
    const two = { id: 'two', baseUrl: 'https://two.test/v1', keysPage: '', creditsPage: 'https://two.test/credits' };
    const none = { name: 'Mine', baseUrl: '' };
    const { removeService } = commandIds;
    assert.deepEqual(
      [[], [none], [one], [one, two]].map((list) => offers(removeService, list)),
      [false, false, true, true],
    );
    for (const command of [commandIds.renameService, commandIds.switchService]) {
      assert.deepEqual(
        [offers(command, []), offers(command, [one]), offers(command, [one, two])],
        [false, false, true],
      );
    }
    const pages = [commandIds.openKeysPage, commandIds.openCreditsPage, commandIds.openInferenceLogPage];
    assert.deepEqual(
      pages.map((command) => offers(command, [one, two])),
      [false, true, false],
    );
  });

  it("leaves out nothing that isn't in a menu", () => {
    const shown = inMenus(Object.keys(contributes.menus).filter((menu) => menu !== 'commandPalette'));
    const byTreeRow = new Set<string>([commandIds.loadOlderRequests]);
    const hidden = titles.map(([command]) => command).filter((command) => when.get(command) === 'false');
    assert.deepEqual(
      hidden.filter((command) => !shown.has(command) && !byTreeRow.has(command)),
      [],
    );
  });

  it('and the rows use "…" for an action on a row only if it asks for more input', () => {
    const asking = new Set<string>([
      commandIds.setBaseUrl,
      commandIds.setApiKey,
      commandIds.renameService,
      commandIds.removeService,
      commandIds.measureModels,
      commandIds.runRequestWithModel,
      commandIds.setModelDetails,
      commandIds.compareModels,
      commandIds.compareResponses,
      commandIds.generateVideo,
      commandIds.generateImage,
      commandIds.keepRequestAsCheck,
    ]);
    for (const [command, title] of titles) {
      if (onRows.has(command)) assert.equal(title.endsWith('…'), asking.has(command), title);
    }
    // The ones that replace them in the palette ask for the row.
    for (const command of [commandIds.copyRequestAsCode, commandIds.selectDefaultModel]) {
      assert.equal(when.has(command), false, command);
      assert.match(new Map(titles).get(command) ?? '', /…$/);
    }
  });
});
