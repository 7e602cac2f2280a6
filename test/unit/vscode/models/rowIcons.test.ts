import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface MenuEntry {
  readonly command?: string;
  readonly when?: string;
  readonly group?: string;
}

const manifest = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
  readonly contributes: { readonly menus: { readonly 'view/item/context': readonly MenuEntry[] } };
};

/** The commands of the icons on a row of this view, from its context value. */
function icons(view: string, words: string): readonly string[] {
  return manifest.contributes.menus['view/item/context']
    .filter(({ group = '' }) => group.startsWith('inline'))
    .filter(({ when = '' }) => when.split(' && ').every((clause) => holds(clause, view, words)))
    .map(({ command = '' }) => command);
}

function holds(clause: string, view: string, words: string): boolean {
  const [, name] = /^view == (.+)$/.exec(clause) ?? [];
  if (name !== undefined) return name === view;
  const [, whole] = /^viewItem == (.+)$/.exec(clause) ?? [];
  if (whole !== undefined) return whole === words;
  const [, pattern] = /^viewItem =~ \/(.*)\/$/.exec(clause) ?? [];
  assert.ok(pattern, `A clause that this test does not understand: ${clause}`);
  return new RegExp(pattern).test(words);
}

describe('The icons of a row', () => {
  it('are at most three, whatever a model can do', () => {
    for (const abilities of ['', 'chats', 'makesImage', 'makesVideo makesImage', 'chats makesVideo makesImage']) {
      const shown = icons('parlance.models', `model ${abilities} notFavorite notHidden notDefault`);
      assert.ok(shown.length >= 1 && shown.length <= 3, `${abilities}: ${shown.join(', ')}`);
    }
  });

  it("open the form for what a model generates, unless it's for chats", () => {
    const of = (abilities: string) => icons('parlance.models', `model ${abilities} favorite notHidden notDefault`);
    assert.deepEqual(of('makesVideo'), ['parlance.removeFavoriteModel', 'parlance.generateVideo']);
    assert.deepEqual(of('chats makesImage'), [
      'parlance.testModel',
      'parlance.removeFavoriteModel',
      'parlance.useModel',
    ]);
  });

  it('are at most three on a request', () => {
    const shown = icons('parlance.requests', 'request chat ended inConversation withRequestId answer repeatable');
    assert.equal(shown.length, 3);
  });
});
