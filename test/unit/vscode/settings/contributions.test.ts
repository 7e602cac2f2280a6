import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { chatParameters } from '../../../../src/shared/chatParameters.ts';
import { mediaKinds } from '../../../../src/shared/media.ts';
import { type Bounds, numberKinds } from '../../../../src/shared/numberKinds.ts';
import { oldestServerVersion } from '../../../workbench/serverInstall.ts';
import { languages } from '../../../workbench/translations.ts';
import {
  changeControllerId,
  commandIds,
  contextKeys,
  documentSchemes,
  panelTypes,
  viewIds,
} from '../../../../src/vscode/settings/contributions.ts';
import { settings } from '../../../../src/vscode/settings/settingList.ts';
import { promptTargets } from '../../../../src/core/prompts/promptDefinition.ts';
import {
  containerIds,
  contributes,
  manifest,
  manifestText,
  properties,
  root,
  strings,
  submenuIds,
  textsOf,
} from './manifest.ts';

const sorted = (items: Iterable<string>) => [...items].toSorted();

describe('The manifest and contributions.ts', () => {
  it('name the same commands', () => {
    assert.deepEqual(sorted(contributes.commands.map((entry) => entry.command)), sorted(Object.values(commandIds)));
  });

  it('name the same settings, with the same scope and default', () => {
    const mirrored = Object.fromEntries(
      Object.values(settings).map((entry) => [entry.id, [entry.scope, entry.default]]),
    );
    const declared = Object.fromEntries(
      Object.entries(properties).map(([id, entry]) => [id, [entry.scope, entry.default]]),
    );
    assert.deepEqual(declared, mirrored);
  });

  it("give a chat's numbers the same bounds", () => {
    for (const [name, { kind }] of Object.entries(chatParameters)) {
      const bounds: Bounds = numberKinds[kind];
      const { type, minimum, exclusiveMinimum, maximum } = properties[`parlance.chat.${name}`] ?? {};
      assert.deepEqual(type, [bounds.integer === true ? 'integer' : 'number', 'null'], name);
      assert.deepEqual([minimum, exclusiveMinimum, maximum], [bounds.min, bounds.above, bounds.max], name);
    }
  });

  it('offer every place for replies to prompts', () => {
    assert.deepEqual(properties[settings.replyLocation.id]?.enum, ['auto', 'ask', ...promptTargets]);
  });

  it('name the same containers and views', () => {
    const containers = Object.values(contributes.viewsContainers).flat();
    assert.deepEqual(sorted(containers.map((entry) => entry.id)), sorted(Object.values(containerIds)));
    assert.deepEqual(sorted(Object.keys(contributes.views)), sorted(Object.values(containerIds)));
    assert.deepEqual(
      sorted(
        Object.values(contributes.views)
          .flat()
          .map((entry) => entry.id),
      ),
      sorted(Object.values(viewIds)),
    );
  });

  it('include every Parlance word that a when clause or a completion event uses', () => {
    const known = new Set<string>([
      ...Object.values(commandIds),
      ...Object.values(viewIds),
      ...Object.values(panelTypes),
      ...Object.values(submenuIds),
      changeControllerId,
      ...Object.values(contextKeys),
      ...Object.values(settings).map((entry) => entry.id),
    ]);
    const clauses = [
      ...Object.values(contributes.menus).flatMap((items) => items.map((entry) => entry.when ?? '')),
      ...contributes.keybindings.map(({ when }) => when ?? ''),
      ...contributes.walkthroughs.flatMap((entry) => entry.steps.flatMap((step) => step.completionEvents)),
      ...contributes.viewsWelcome.flatMap(({ view, when }) => [view, when ?? '']),
    ];
    const words = clauses.flatMap((clause) => clause.match(/parlance\.[\w.]+/g) ?? []);
    assert.ok(words.length > 20);
    assert.deepEqual(
      words.filter((word) => !known.has(word)),
      [],
    );
    for (const key of Object.values(contextKeys)) {
      assert.ok(words.includes(key), `${key} is used by nobody`);
    }
  });
});

describe('The manifest', () => {
  it('has a text for each key, and a use for each text', () => {
    const used = new Set([...manifestText.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? ''));
    assert.deepEqual(sorted(used), sorted(Object.keys(strings)));
    for (const [key, text] of Object.entries(strings)) {
      assert.notEqual(text.trim(), '', key);
    }
  });

  it('names only commands it contributes in menus and texts', () => {
    const views = Object.values(viewIds).map((id) => `${id}.focus`);
    const ids = new Set([...contributes.commands.map((entry) => entry.command), ...views]);
    const inMenus = Object.values(contributes.menus).flatMap((items) => items.flatMap((entry) => entry.command ?? []));
    const inTexts = Object.values(strings).flatMap((text) =>
      [...text.matchAll(/command:([\w.]+)/g)].map((match) => match[1] ?? ''),
    );
    assert.ok(inTexts.length > 0);
    assert.deepEqual(
      [...inMenus, ...inTexts].filter((id) => !ids.has(id)),
      [],
    );
  });

  it('names only settings it contributes in texts', () => {
    const inTexts = Object.values(strings).flatMap((text) =>
      [...text.matchAll(/#([\w.]+)#/g)].map((match) => match[1] ?? ''),
    );
    assert.deepEqual(
      inTexts.filter((id) => !(id in properties)),
      [],
    );
  });

  // VS Code draws a link that has a line for itself as a filled button, and all others as links.
  it('gives an empty view one button, for what to do next, in every language', () => {
    for (const file of ['package.nls.json', ...languages.map((language) => `package.nls.${language}.json`)]) {
      const texts = Object.entries(textsOf(file)).filter(([key]) => key.startsWith('welcome.'));
      assert.ok(texts.length > 0, file);
      for (const [key, text] of texts) {
        const buttons = text.split('\n').filter((line) => /^\[[^\]]+\]\([^)]+\)$/.test(line.trim()));
        assert.equal(buttons.length, 1, `${file}: ${key}`);
      }
    }
  });

  it('adds one submenu to the context menu of editors, and nothing else', () => {
    assert.deepEqual(sorted(contributes.submenus.map((entry) => entry.id)), sorted(Object.values(submenuIds)));
    assert.deepEqual(
      contributes.menus['editor/context']?.map(({ submenu, command }) => [submenu, command]),
      [[submenuIds.editor, undefined]],
    );
    assert.ok((contributes.menus[submenuIds.editor]?.length ?? 0) > 10);
  });

  it('has an icon for every command with a button in a title bar, except for those about changes, which are words', () => {
    const icons = new Map(contributes.commands.map((entry) => [entry.command, entry.icon]));
    const buttons = Object.values(contributes.menus)
      .flat()
      .filter((entry) => entry.group?.startsWith('navigation') === true);
    assert.ok(buttons.length > 0);
    for (const button of buttons) {
      const isInWords = /\.(?:accept|reject)(?:All)?Changes?$/.test(button.command ?? '');
      assert.match(icons.get(button.command ?? '') ?? '', isInWords ? /^$/ : /^\$\([\w-]+\)$/, button.command);
    }
  });

  it('lets no workspace set where data is sent, who reads it, or what the model is told', () => {
    const guarded = Object.keys(properties).filter(
      (id) =>
        /^parlance\.(services$|prompts\.)/.test(id) ||
        id === 'parlance.chat.model' ||
        id === 'parlance.chat.systemPrompt',
    );
    assert.equal(guarded.length, 6);
    for (const id of guarded) {
      assert.equal(properties[id]?.scope, 'application', id);
    }
  });

  it("reads no setting from a folder that isn't trusted", () => {
    assert.deepEqual(
      sorted(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations),
      sorted(Object.keys(properties)),
    );
  });

  it('offers a commit message where Git runs on the same machine as Parlance: not from a desktop window to a remote folder', () => {
    const buttons = contributes.menus['scm/title'] ?? [];
    assert.equal(buttons.length, 2);
    for (const { when } of buttons) assert.ok(when?.split(' && ').includes('(!remoteName || isWeb)'), when);
  });

  it('starts nothing automatically and binds no key', () => {
    // An open prompt file, for help with writing it. Tabs that VS Code restores. What opens VS Code's own chat, which
    // doesn't look for models on its own: no contribution point implies them. And checks in a folder, which the Testing
    // view lists only once we're running.
    assert.deepEqual(manifest.activationEvents, [
      'onCommand:workbench.action.chat.newChat',
      'onCommand:workbench.action.chat.open',
      'onCommand:workbench.action.chat.toggle',
      'onCommand:workbench.action.openChat',
      'onCommand:workbench.panel.chat',
      'onCommand:workbench.panel.chat.view.copilot.focus',
      'onLanguage:prompt',
      'onWalkthrough:start',
      `onWebviewPanel:${panelTypes.chatEditor}`,
      `onWebviewPanel:${panelTypes.compare}`,
      `onWebviewPanel:${panelTypes.measure}`,
      `onWebviewPanel:${panelTypes.mediaStudio}`,
      'workspaceContains:**/*.checks.yaml',
      'workspaceContains:**/promptfooconfig.yaml',
    ]);
  });

  it('binds one key in all of VS Code, which is free on all systems, and others only in the chat and in a proposed change', () => {
    const { keybindings } = contributes;
    assert.deepEqual(
      keybindings.filter(({ when }) => when === undefined).map(({ command, key, mac }) => [command, key, mac]),
      [[commandIds.openChat, 'ctrl+alt+h', 'ctrl+cmd+h']],
    );
    for (const { command, when, args } of keybindings) {
      // VS Code would write the key into the button of a title bar if it were bound to that button's own command.
      if (command === 'runCommands') {
        assert.deepEqual(args, { commands: [commandIds.acceptAllChanges] });
        assert.ok(when?.startsWith(`${contextKeys.proposalReady} && resourceScheme == ${documentSchemes.proposal}`));
      } else if (command !== commandIds.openChat) assert.equal(when, contextKeys.chatFocused);
      // The chat has Find itself. VS Code would open that of the code editor, too, and give it the focus.
      const isOfVsCode = command === 'runCommands' || command === 'noop';
      assert.ok(isOfVsCode || contributes.commands.some((each) => each.command === command));
    }
  });

  it('leads a newcomer through five steps, each with an image for light and dark themes, and an end', () => {
    const [{ steps } = { steps: [] }, ...others] = contributes.walkthroughs;
    assert.deepEqual([steps.length, others.length], [5, 0]);
    for (const { media, completionEvents } of steps) {
      const { dark, light, hc, hcLight } = media.image;
      assert.deepEqual([hc, hcLight], [dark, light]);
      assert.notDeepEqual(readFileSync(new URL(dark, root)), readFileSync(new URL(light, root)), dark);
      assert.match(media.altText, /^%.+%$/);
      assert.ok(completionEvents.length > 0);
    }
  });

  it('has one button in each of these steps, in every language: a line that is nothing but a link', () => {
    for (const suffix of ['', ...languages.map((language) => `.${language}`)]) {
      const texts = textsOf(`package.nls${suffix}.json`);
      for (const step of ['connect', 'chat', 'selection', 'models', 'video']) {
        const lines = texts[`walkthrough.${step}.description`]?.split('\n') ?? [];
        assert.equal(lines.filter((line) => /^\[[^\]]+\]\([^)]+\)$/.test(line)).length, 1, `${step}${suffix}`);
      }
    }
  });

  it("requires the VS Code version that the host suite runs in and whose types it's checked with", () => {
    const [, lowest] = /^\^1\.(\d+)\.0$/.exec(manifest.engines.vscode) ?? [];
    assert.match(manifest.devDependencies['@types/vscode'] ?? '', new RegExp(`^1\\.${lowest}\\.`));
    assert.match(oldestServerVersion, new RegExp(`^4\\.${lowest}\\.`));
  });

  it('limits each setting, and describes each of its values', () => {
    for (const [id, property] of Object.entries(properties)) {
      const types = [property.type].flat();
      if (types.includes('number') || types.includes('integer')) {
        assert.ok((property.minimum ?? property.exclusiveMinimum) !== undefined, id);
      }
      if (property.enum !== undefined) {
        const described = property.markdownEnumDescriptions ?? property.enumDescriptions;
        assert.equal(described?.length, property.enum.length, id);
      } else if (types.includes('string')) {
        assert.ok(property.maxLength !== undefined, id);
      }
    }
  });

  it('orders and describes each setting, in sections that have an order too', () => {
    assert.deepEqual(
      contributes.configuration.map(({ order }) => order),
      contributes.configuration.map((_, index) => index + 1),
    );
    for (const part of contributes.configuration) {
      const orders = Object.values(part.properties).map((entry) => entry.order);
      assert.equal(new Set(orders).size, orders.length);
    }
    for (const [id, property] of Object.entries(properties)) {
      assert.ok(Number.isInteger(property.order), id);
      assert.match(property.markdownDescription, /^%.+%$/, id);
    }
  });

  it('tags the settings that few people need as advanced', () => {
    const advanced = Object.keys(properties).filter((id) => properties[id]?.tags?.includes('advanced') === true);
    assert.deepEqual(sorted(advanced), [
      'parlance.chat.firstByteSeconds',
      'parlance.log.includeContent',
      'parlance.media.requestTimestamps',
      'parlance.requests.maxMegabytes',
    ]);
  });

  it('names a view with the product and its name if it was moved to another place', () => {
    const views = Object.values(contributes.views).flat();
    assert.deepEqual(
      new Set(views.map(({ contextualTitle }) => strings[contextualTitle.slice(1, -1)])),
      new Set(['Parlance']),
    );
  });

  it('has a separate icon for each of its tabs, in light and dark', () => {
    // The form of each kind of media has its own.
    const others = Object.keys(panelTypes).filter((panel) => panel !== 'mediaStudio');
    const panels = [...others, ...mediaKinds];
    for (const theme of ['light', 'dark']) {
      const pictures = panels.map((panel) => readFileSync(new URL(`media/tab/${panel}-${theme}.svg`, root), 'utf8'));
      assert.equal(new Set(pictures).size, panels.length);
    }
  });

  it('refers only to existing files', () => {
    const files = [
      manifest.icon,
      ...Object.values(contributes.viewsContainers).flatMap((items) => items.map((entry) => entry.icon)),
      ...Object.values(contributes.views).flatMap((items) => items.map((entry) => entry.icon)),
      ...contributes.walkthroughs.flatMap((entry) => [
        entry.icon,
        ...entry.steps.flatMap((step) => Object.values(step.media.image)),
      ]),
    ];
    for (const file of files) {
      assert.ok(file !== '' && existsSync(new URL(file, root)), file);
    }
  });
});
