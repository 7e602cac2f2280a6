import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { commandsPage, type Manifest, referencePages, settingsPage } from '../../workbench/referencePages.ts';

const root = new URL('../../../', import.meta.url);

describe('The pages about settings and commands', () => {
  it('match the manifest; `npm run docs` updates them', async () => {
    for (const [path, text] of Object.entries(await referencePages())) {
      assert.equal(await readFile(new URL(path, root), 'utf8'), text, `${path}: run \`npm run docs\``);
    }
  });

  const shortcutIds = ['openChat', 'explainSelection', 'fixSelection', 'runPrompt', 'acceptChange', 'rejectChange'];
  const manifest: Manifest = {
    contributes: {
      commands: [
        ...shortcutIds.map((id) => ({ command: `parlance.${id}`, title: id })),
        { command: 'parlance.copyModelId', title: '%copy%' },
        { command: 'parlance.loadOlderRequests', title: 'Load Older Requests' },
      ],
      configuration: [
        {
          title: 'Chat',
          properties: {
            'parlance.chat.size': {
              type: ['integer', 'null'],
              default: 1568,
              minimum: 64,
              maximum: 16384,
              scope: 'application',
              tags: ['advanced'],
              markdownDescription: '%size%',
            },
            'parlance.chat.place': { type: 'string', default: '', enum: ['here'], enumDescriptions: ['%copy%'] },
          },
        },
      ],
      keybindings: [{ command: 'parlance.openChat', key: 'ctrl+alt+h', mac: 'ctrl+cmd+h' }],
      menus: {
        commandPalette: [
          { command: 'parlance.copyModelId', when: 'false' },
          { command: 'parlance.loadOlderRequests', when: 'false' },
          { command: 'parlance.runPrompt', when: 'editorFocus' },
        ],
        'view/item/context': [{ command: 'parlance.copyModelId', when: 'view == parlance.models && x' }],
      },
      views: { service: [{ id: 'parlance.models', name: 'Models' }] },
    },
  };
  const texts = { copy: 'Copy ID', size: 'See `#parlance.chat.place#`. [Do It](command:parlance.do)' };

  it('show the default, the limits, the values, and who can change a setting', () => {
    const page = settingsPage(manifest, texts);
    assert.match(page, /See \[`parlance\.chat\.place`\]\(#parlancechatplace\)\. \*\*Do It\*\*/);
    assert.match(page, /Default: `1568`\. From 64 to 16,384\. Advanced\./);
    assert.match(page, /- `here`: Copy ID\n\nDefault: empty\. A workspace can change it\./);
  });

  it('show where a command is found, and leave out those that no one can run by name', () => {
    const page = commandsPage(manifest, texts);
    assert.match(page, /\| \*\*Copy ID\*\* \| `parlance\.copyModelId` \| – \| model row \|/);
    assert.match(page, /`parlance\.runPrompt` \| when it applies \| – \|/);
    assert.match(page, /`parlance\.openChat` \| always \| – \|/);
    assert.doesNotMatch(page, /loadOlderRequests/);
  });

  const withMenus = (menus: Manifest['contributes']['menus']): Manifest => ({
    contributes: { ...manifest.contributes, menus },
  });

  it('name each place in words', () => {
    const places: readonly (readonly [menu: string, when: string, words: string])[] = [
      ['comments/commentThread/title', 'commentController == parlance.changes', 'change in the editor'],
      ['testing/item/context', 'controllerId == parlance.checks', 'Testing view'],
      ['editor/title', 'resourceFilename =~ /\\.checks\\.yaml$/', "editor's title bar"],
      ['editor/title', "activeWebviewPanelId == 'parlance.serviceDetails'", 'service page'],
      ['view/item/context', 'view == parlance.models && viewItem == service', 'service row'],
    ];
    for (const [menu, when, words] of places) {
      const page = commandsPage(withMenus({ [menu]: [{ command: 'parlance.copyModelId', when }] }), texts);
      assert.match(page, new RegExp(`parlance\\.copyModelId\` \\| always \\| ${words} \\|`), words);
    }
  });

  it("aren't written with a menu that has no words", () => {
    const menus = withMenus({ 'file/newFile': [{ command: 'parlance.copyModelId' }] });
    assert.throws(() => commandsPage(menus, texts), /file\/newFile/);
    const tab = withMenus({ 'editor/title': [{ command: 'parlance.copyModelId', when: 'isInDiffEditor' }] });
    assert.throws(() => commandsPage(tab, texts), /isInDiffEditor/);
  });

  it("aren't written with a text or a shortcut that leads nowhere", () => {
    assert.throws(() => settingsPage(manifest, { copy: 'Copy ID' }), /%size%/);
    const { commands } = manifest.contributes;
    const fewer = { contributes: { ...manifest.contributes, commands: commands.slice(1) } };
    assert.throws(() => commandsPage(fewer, texts), /parlance\.openChat/);
  });
});
