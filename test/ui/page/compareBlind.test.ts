import assert from 'node:assert/strict';
import { CompareBrowser, tell, told } from './compareBrowser.ts';
import { compared, compareStates, turn } from './compareStates.ts';
import { waitUntil } from '../waitUntil.ts';
import { column, listen, message } from './comparedReplies.ts';

describe('The comparison page with blind votes', () => {
  const browser = new CompareBrowser();

  it('asks no single model while replies are blind, because its price or its letter would reveal it', async () => {
    const page = await browser.open('votingOnTwo');
    await page.getByRole('heading', { name: 'Which reply is better?' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Ask This Model' }).count(), 0);
    assert.equal(await page.locator('.addressee:visible').count(), 0);
  });

  it('has the name of the tag beside its field at every width', async () => {
    const page = await browser.open('votingOnTwo');
    const vote = page.getByRole('region', { name: 'Which reply is better?' });
    await vote.getByLabel('Tag').waitFor();
    for (let width = 400; width <= 800; width += 25) {
      await page.setViewportSize({ width, height: 700 });
      const label = await vote.getByText('Tag', { exact: true }).boundingBox();
      const field = await vote.getByLabel('Tag').boundingBox();
      assert.ok(label !== null && field !== null);
      const apart = label.y + label.height / 2 - field.y - field.height / 2;
      assert.ok(Math.abs(apart) < 4, `${apart} px at ${width} px`);
    }
  });

  it('hides names, figures, and buttons of blind replies until the vote, by a click or a key', async () => {
    const page = await browser.open('voting');
    await page.getByRole('heading', { name: 'Which reply is better?' }).waitFor();
    assert.equal(await page.locator('.race:visible, .column .footer:visible, .column-place:visible').count(), 0);
    assert.equal(
      await page
        .getByRole('button', { name: /^Model: / })
        .first()
        .isDisabled(),
      true,
    );
    // Nothing about it looks as if it could be opened.
    assert.equal(await page.locator('.column-picker .codicon:visible').count(), 0);
    assert.equal(await page.getByTitle('Select Another Model').count(), 0);
    for (const model of compared) assert.equal(await page.getByText(model).count(), 0);
    const vote = page.getByRole('region', { name: 'Which reply is better?' });
    // The last tag is offered again, and a digit in it isn't a vote.
    assert.equal(await vote.getByLabel('Tag').inputValue(), 'review');
    await vote.getByLabel('Tag').fill('');
    await vote.getByLabel('Tag').pressSequentially('1');
    await vote.getByLabel('Tag').fill('German');
    await vote.getByRole('button', { name: 'Reply B' }).click();
    await page.keyboard.press('3');
    await page.keyboard.press('0');
    await page.keyboard.press('x');
    await message(page).fill('1');
    assert.deepEqual(
      (await told(page, 'vote')).map(({ choice, tag }) => [choice, tag]),
      [
        [{ columnId: 'c1' }, 'German'],
        [{ columnId: 'c2' }, 'German'],
        ['equal', 'German'],
        ['none', 'German'],
      ],
    );
  });

  it('shows the keys of a vote only while they work', async () => {
    const page = await browser.open('voting');
    const keys = page.locator('.vote-bar kbd:visible');
    await message(page).focus();
    assert.equal(await keys.count(), 0);
    await page.getByRole('button', { name: 'Ranking' }).focus();
    assert.equal(await keys.count(), 5);
  });

  it("shows which model the user voted for, counts the vote in an open ranking, and doesn't move the focus", async () => {
    const page = await browser.open('voting');
    const voted = compareStates['voted']?.() ?? assert.fail();
    const words = `Your vote: ${compared[0]}, shown as Reply C`;
    const said = await listen(page);
    await page.getByRole('button', { name: 'Ranking' }).click();
    const ranking = { votes: 0, rows: [], filter: { tag: 'review' }, tags: [], prompts: [] };
    await tell(page, { type: 'rankingShown', ranking });
    await message(page).focus();
    await tell(page, { type: 'snapshot', snapshot: voted });
    await page.getByText(words).first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Reply A' }).count(), 0);
    assert.deepEqual((await told(page, 'showRanking')).at(-1), { type: 'showRanking', tag: 'review' });
    await tell(page, { type: 'rankingShown', ranking: { ...ranking, votes: 1 } });
    await page.getByText('1 blind vote').waitFor();
    assert.equal(await message(page).evaluate((box) => box === document.activeElement), true);
    await waitUntil('the announcement', async () => (await said()).includes(words));
    // The next question has its own vote.
    await tell(page, { type: 'turnChanged', turn: { ...turn, id: 't2', text: 'And in Python?' } });
    await page.locator('.vote-bar').waitFor({ state: 'hidden' });
  });

  it('offers no vote for a model that failed or was added after the question', async () => {
    const page = await browser.open('votingWithoutOne');
    const vote = page.getByRole('region', { name: 'Which reply is better?' });
    await vote.getByRole('button', { name: 'Reply C' }).waitFor();
    assert.deepEqual(await vote.getByRole('button').allTextContents(), ['Reply A1', 'Reply C3', 'Equal0', 'NoneX']);
    await column(page, 'Reply B').getByText('Failed', { exact: true }).waitFor();
  });

  it('names the service of each model if there are several, and none of a blind reply', async () => {
    const page = await browser.open('votingTwoServices', 560);
    const named = (pattern: RegExp) =>
      page.locator('[aria-label], [title], button').evaluateAll(
        (all, source) =>
          all
            .filter((each) => each.checkVisibility())
            .flatMap((each) => [
              each.getAttribute('aria-label') ?? '',
              each.getAttribute('title') ?? '',
              each.textContent,
            ])
            .filter((text) => new RegExp(source, 'u').test(text)),
        pattern.source,
      );
    await page.getByRole('tab', { name: 'Reply A', exact: true }).waitFor();
    assert.deepEqual(await named(/Northwind|Home server|::/), []);
    const shown = await browser.open('twoServices', 560);
    assert.deepEqual(await shown.getByRole('tab').allTextContents(), [
      'sparrow (Northwind)',
      'sparrow (Home server)',
      'quill-70b (Northwind)',
    ]);
    const rows = [
      { rank: '1', wins: 9, duels: 12, share: 0.7, low: 0.6, high: 0.8, facts: '', model: 'home::kestrel/sparrow' },
    ];
    await tell(shown, { type: 'rankingShown', ranking: { votes: 12, rows, filter: {}, tags: [], prompts: [] } });
    await shown.getByRole('region', { name: 'Ranking' }).getByText('kestrel/sparrow (Home server)').waitFor();
    assert.equal(await shown.getByText('::').count(), 0);
  });

  it("ranks models with their intervals, and shows where there aren't enough votes", async () => {
    const page = await browser.open('finished');
    await page.getByRole('button', { name: 'Ranking' }).click();
    assert.equal((await told(page, 'showRanking')).length, 1);
    const ranked = { rank: '1–2', wins: 28, duels: 41, share: 0.68, low: 0.6, high: 0.75, facts: '84 tok/s' };
    const rows = [
      { ...ranked, model: compared[1] },
      { ...ranked, model: compared[2], wins: 20.5, duels: 36 },
      { ...ranked, model: compared[0], rank: '', wins: 2, duels: 7, low: 0.1, high: 0.7, share: 0.3 },
    ];
    const counted = {
      filter: {},
      tags: [{ name: 'review', votes: 40 }],
      prompts: [{ name: 'Name a bird', votes: 12 }],
    };
    await tell(page, { type: 'rankingShown', ranking: { votes: 60, rows, ...counted } });
    const ranking = page.getByRole('region', { name: 'Ranking' });
    await ranking.getByText('60 blind votes').waitFor();
    const texts = await ranking.getByRole('listitem').allTextContents();
    assert.match(texts[0] ?? '', /^1–2.*gale-32b.*28 of 41 won$/);
    assert.match(texts[1] ?? '', /20\.5 of 36 won/);
    assert.match(texts[2] ?? '', /^–.*2 of 7 wonNot enough votes to tell$/);
    const first = ranking.getByRole('img').first();
    assert.equal(await first.getAttribute('aria-label'), 'Wins 68%, with a confidence interval from 60% to 75%');
    const widths = () =>
      ranking
        .locator('.ranking-axis, .ranking-track')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).map(({ x, width }) => `${x} ${width}`));
    const scales = await widths();
    assert.deepEqual([scales.length, new Set(scales).size], [4, 1], 'one scale for all intervals');
    const filter = ranking.getByRole('combobox', { name: 'Votes to count' });
    await filter.selectOption('review (40)');
    await tell(page, { type: 'rankingShown', ranking: { votes: 40, rows, ...counted, filter: { tag: 'review' } } });
    await ranking.getByText('40 blind votes').waitFor();
    assert.equal(await filter.locator('option:checked').textContent(), 'review (40)');
    await filter.selectOption('Name a bird (12)');
    assert.deepEqual(await told(page, 'showRanking'), [
      { type: 'showRanking' },
      { type: 'showRanking', tag: 'review' },
      { type: 'showRanking', prompt: 'Name a bird' },
    ]);
    await ranking.getByRole('button', { name: 'Close' }).click();
    assert.equal(await ranking.count(), 0);
  });

  it('turns on blind mode, and opens, starts, and exports comparisons from its menu', async () => {
    const page = await browser.open('finished');
    await page.getByRole('button', { name: 'Blind' }).click();
    assert.deepEqual(await told(page, 'setBlind'), [{ type: 'setBlind', isBlind: true }]);
    await tell(page, {
      type: 'setupChanged',
      setup: { options: {}, order: 'allAtOnce', isBlind: true },
      defaults: {},
    });
    await page.getByRole('button', { name: 'Blind: On', pressed: true }).waitFor();
    for (const [name, type] of [
      ['New Comparison', 'newComparison'],
      ['Open Comparison…', 'openComparison'],
      ['Export Comparison…', 'exportComparison'],
      ['Delete Comparison…', 'deleteComparison'],
    ] as const) {
      await page.getByRole('button', { name: 'More Actions…' }).click();
      await page.getByRole('menuitem', { name }).click();
      assert.equal((await told(page, type)).length, 1);
    }
  });
});
