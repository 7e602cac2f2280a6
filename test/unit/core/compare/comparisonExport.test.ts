import assert from 'node:assert/strict';
import { Comparison } from '../../../../src/core/compare/comparison.ts';
import { comparisonJson, comparisonMarkdown } from '../../../../src/core/compare/comparisonExport.ts';
import { useServiceNames } from '../../../../src/words/modelLabel.ts';

describe('An exported comparison', () => {
  const columns = [
    { id: 'c1', model: 'local/echo' },
    { id: 'c2', model: 'local/fast' },
  ];
  const comparison = new Comparison('k', columns);
  comparison.setTurn({
    id: 't1',
    at: Date.UTC(2030, 0, 2),
    text: 'Name a bird',
    attachments: [],
    content: 'Name a bird',
    order: 'allAtOnce',
    columns: ['c1', 'c2'],
    isBlind: false,
  });
  const sample = { sentAt: 1, firstMs: 200, lastMs: 1200, totalMs: 1200, gapsMs: [1000], replyTokens: 101 };
  const reply = { turnId: 't1', at: 1, reasoning: '', state: 'done' } as const;
  // The second column's reply came first.
  comparison.setReply({
    ...reply,
    id: 'r2',
    columnId: 'c2',
    model: 'local/fast',
    text: 'Sparrow',
    state: 'stopped',
    options: { temperature: 0.9 },
    parameters: { systemPrompt: 'Be short.', temperature: 0.9 },
  });
  const end = { outcome: 'done', wasSent: true, sample } as const;
  comparison.setReply({
    ...reply,
    id: 'r1',
    columnId: 'c1',
    model: 'local/echo',
    text: '```\nKestrel',
    end,
    cost: 0.00016,
    parameters: { systemPrompt: 'Be short.' },
  });

  it('is Markdown with the questions, how they were asked, the replies in the order of the columns, and their figures', () => {
    const text = comparisonMarkdown(comparison);
    assert.match(
      text,
      /^# Compare Models\n\n## You\n\nName a bird\n\nAsked all at once, so .*\n\n### local\/echo\n\n```\nKestrel\n```\n\n\*.*100° tok\/s/,
    );
    assert.match(text, /cost 0\.00016\*\n\n### local\/fast \(Temperature 0\.9\)\n\nSparrow\n\n\*stopped\*\n$/);
  });

  it('names the service of each model if there are several', () => {
    useServiceNames({ service: 'Northwind', home: 'Home server' });
    try {
      const two = new Comparison('k', []);
      for (const turn of comparison.turns) two.setTurn(turn);
      two.setReply({ ...reply, id: 'r1', columnId: 'c1', model: 'home::local/echo', text: 'Kestrel' });
      assert.match(comparisonMarkdown(two), /^### local\/echo \(Home server\)$/m);
      assert.match(comparisonJson(two), /"model": "local\/echo",\s+"service": "Home server"/);
    } finally {
      useServiceNames({});
    }
  });

  it('is JSON with everything that was measured', () => {
    const { version, turns } = JSON.parse(comparisonJson(comparison)) as { version: number; turns: readonly unknown[] };
    assert.equal(version, 1);
    assert.deepEqual(turns, [
      {
        question: 'Name a bird',
        at: Date.UTC(2030, 0, 2),
        attachments: [],
        order: 'allAtOnce',
        isBlind: false,
        replies: [
          {
            model: 'local/echo',
            parameters: { systemPrompt: 'Be short.' },
            state: 'done',
            text: '```\nKestrel',
            reasoning: '',
            sample,
            cost: 0.00016,
          },
          {
            model: 'local/fast',
            parameters: { systemPrompt: 'Be short.', temperature: 0.9 },
            state: 'stopped',
            text: 'Sparrow',
            reasoning: '',
          },
        ],
      },
    ]);
  });

  it('includes the conversation that it continues', () => {
    const url = 'data:image/png;base64,AA==';
    const continued = new Comparison('k', columns, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url } },
        ],
      },
      { role: 'assistant', content: 'A bird.' },
    ]);
    for (const turn of comparison.turns) continued.setTurn(turn);
    const { before } = JSON.parse(comparisonJson(continued)) as { before: unknown };
    assert.deepEqual(before, [
      { role: 'user', text: 'What is this?', images: 1 },
      { role: 'assistant', text: 'A bird.' },
    ]);
    assert.match(
      comparisonMarkdown(continued),
      /^# Compare Models\n\n## You\n\nWhat is this\?\n\n### Reply\n\nA bird\.\n\n## You\n\nName a bird/,
    );
  });
});
