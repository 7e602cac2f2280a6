import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { caseMessages } from '../../../../src/core/checks/caseMessages.ts';
import { checksCsv, checksJunit, checksMarkdown, promptfooConfig } from '../../../../src/core/checks/checksExports.ts';
import { readPromptfooConfig } from '../../../../src/core/checks/promptfoo/promptfooConfig.ts';
import { readChecksFile } from '../../../../src/core/checks/readChecksFile.ts';
import { sentCheck } from '../../../../src/core/checks/sentCheck.ts';
import type { ChecksView } from '../../../../src/shared/checks.ts';
import { modelRef } from '../../../../src/shared/modelRef.ts';

const noFiles = async () => ({ fault: 'no file' });
const read = (text: string) => readChecksFile(text, { promptFile: 'p', readFile: noFiles });

describe('Exported checks', () => {
  const view: ChecksView = {
    files: [
      {
        uri: 'f',
        name: 'a.checks.yaml',
        rows: [
          {
            id: '1',
            name: '=cmd|"<x>" & y',
            cells: [
              { state: 'passed', passed: 3, counted: 3 },
              { state: 'flaky', passed: 2, counted: 3 },
            ],
          },
          {
            id: '2',
            name: 'b',
            cells: [
              { state: 'undecided', passed: 0, counted: 0 },
              { state: 'none', passed: 0, counted: 0 },
            ],
          },
          {
            id: '3',
            name: 'c',
            cells: [
              { state: 'undecided', passed: 2, counted: 2 },
              { state: 'unlisted', passed: 0, counted: 0 },
            ],
          },
        ],
      },
    ],
    columns: ['m/1', 'm/2'].map((model) => ({
      key: model,
      model,
      passed: 3,
      counted: 3,
      undecided: 0,
      passesAll: true,
      isFinished: true,
      costPerThousand: 0.2,
      isEstimate: false,
    })),
    order: 'cheapest',
    isRunning: false,
    cost: 1,
    isCostAtLeast: false,
    isCostEstimate: false,
    repeat: [3, 3],
  };

  it('are a table in Markdown and lines in CSV, in which no name is markup or a formula', () => {
    assert.match(checksMarkdown(view), /\| =cmd\\\|"\\<x\\>" & y \| 3\/3 passed \| 2\/3 flaky \|/);
    assert.match(checksMarkdown(view), /\| b \| couldn't run \| not run \|\n\| c \| 2\/2 unfinished \|  \|/);
    assert.match(checksCsv(view), /a\.checks\.yaml,"'=cmd\|""<x>"" & y",m\/2,flaky,2,3,0\.2,,0\r\n/);
    // These are of all its cases, and would be wrong for this one.
    assert.match(
      checksCsv(view),
      /^file,case,model,state,passed,counted,model_cost_per_1000,model_median_total_ms,model_tokens_estimated\r\n/,
    );
    // A case isn't missing where it isn't sent.
    assert.match(checksCsv(view), /b,m\/2,not run,0,0,0\.2,,0\r\na\.checks\.yaml,c,m\/1,couldn't run,2,2,0\.2,,0\r\n$/);
  });

  it('mark times that were measured here and estimated prices, and say what the marks mean', () => {
    const columns = view.columns.map((column, at) => ({ ...column, totalMs: 1600, isEstimate: at === 1 }));
    const lines = checksMarkdown({ ...view, columns }).split('\n');
    assert.ok(lines.includes('| Price per 1,000 | 0.20 | ≈ 0.20 |'));
    assert.ok(lines.includes('| Median total | 1.6 s° | 1.6 s° |'));
    assert.deepEqual(lines.slice(-3), ['', '° = measured in VS Code · ≈ = estimated from the text', '']);
    assert.match(checksCsv({ ...view, columns }), /,m\/1,passed,3,3,0\.2,1600,0\r\n.*,m\/2,flaky,2,3,0\.2,1600,1\r\n/);
  });

  it("are test cases in JUnit XML, in which flaky is a failure and what couldn't be run an error", () => {
    const junit = checksJunit(view);
    assert.match(junit, /tests="5" failures="1" errors="2" skipped="1"/);
    assert.match(junit, /name="=cmd\|&quot;&lt;x&gt;&quot; &amp; y"><failure message="2\/3 flaky"\/>/);
  });

  it("say why a case can't be run, and have it as an error, even if no model is asked", () => {
    const none = { state: 'none', passed: 0, counted: 0 } as const;
    const unlisted = { ...none, state: 'unlisted' } as const;
    const rows = [
      { id: '1', name: 'lost', cells: [none, unlisted], notRun: 'There\'s no "a" & no "b".' },
      { id: '2', name: 'alone', cells: [unlisted, unlisted], notRun: 'No code' },
    ];
    const faulty = { ...view, files: [{ uri: 'f', name: 'f.yaml', rows }] };
    assert.deepEqual(checksJunit(faulty).split('\n').slice(2, 5), [
      '  <testsuite name="f.yaml" tests="2" failures="0" errors="2" skipped="0">',
      '    <testcase classname="m/1" name="lost"><error message="There\'s no &quot;a&quot; &amp; no &quot;b&quot;."/></testcase>',
      '    <testcase classname="f.yaml" name="alone"><error message="No code"/></testcase>',
    ]);
    assert.match(checksMarkdown(faulty), /\| lost \| can't run \| {2}\|/);
    assert.match(checksCsv(faulty), /f\.yaml,lost,m\/1,can't run,0,0,/);
  });

  it('are a configuration for promptfoo that is read as the same cases', async () => {
    const { cases } = await read(
      `judge: j\ncases:\n  - name: a\n    messages: [{ role: system, content: Be }, { role: user, content: '"{{x}}"' }]\n    vars: { x: "1" }\n    threshold: 0.5\n    assert:\n      - { type: not-icontains, value: no, weight: 2 }\n      - { type: latency, threshold: 9 }\n      - { type: llm-rubric, value: Short }\n`,
    );
    const all = cases.flatMap((check) => {
      const sent = caseMessages(check, {});
      const options = { temperature: 0.2, maxTokens: 9 };
      return 'fault' in sent ? [] : [{ check, messages: sent.messages, options, models: ['m/1', 'm/2'], repeat: 3 }];
    });
    const again = await readPromptfooConfig(promptfooConfig(all, ['m/1', 'm/2']), noFiles);
    assert.deepEqual([again.remarks, again.models[0]?.pattern, again.repeat, again.options], [[], 'm/1', 3, {}]);
    const literal = all.map((each) => ({ ...each, messages: [{ role: 'user', content: 'a {% b %}' }] as const }));
    const [unread] = (await readPromptfooConfig(promptfooConfig(literal, ['m/1']), noFiles)).cases;
    assert.ok(unread !== undefined && (unread.notRun !== undefined || 'fault' in caseMessages(unread, {})));
    const [first] = again.cases;
    assert.ok(first);
    assert.deepEqual(caseMessages(first, {}), { messages: all[0]?.messages });
    assert.deepEqual(first.options, { temperature: 0.2, maxTokens: 9 });
    assert.deepEqual(
      first.expectations.map(({ from: _from, to: _to, ...rest }) => rest),
      cases[0]?.expectations.map(({ from: _from, to: _to, ...rest }) => rest),
    );
  });

  it('are a configuration for promptfoo that says what promptfoo sends in addition', async () => {
    const { cases } = await read('cases: [{ name: a, messages: [], assert: [] }]');
    const [check] = cases;
    assert.ok(check);
    const sent = (models: readonly string[], repeat: number) => ({ check, messages: [], options: {}, models, repeat });
    const comments = (...given: Parameters<typeof promptfooConfig>) =>
      promptfooConfig(...given)
        .split('\n')
        .filter((line) => line.startsWith('#'))
        .slice(1);
    const both = ['m/1', 'm/2'];
    assert.deepEqual(comments([sent(both, 3), sent(both, 3)], both), []);
    assert.deepEqual(comments([sent(both, 3), sent(['m/1'], 1)], both), [
      '# Every case is sent to each of the 2 models. In Parlance, 1 of 2 is sent to fewer.',
      '# Every case is sent 3 times. In Parlance, 1 of 2 is sent less often.',
    ]);
    assert.deepEqual(comments([sent(['m/2'], 1), sent(['m/1'], 1)], both, 2), [
      '# Every case is sent to each of the 2 models. In Parlance, each is sent to fewer.',
      '# 2 cases with errors were left out.',
    ]);
    const two = ['m/1', modelRef('other', 'm/1')];
    const asked = '# In Parlance, these models belong to 2 services. promptfoo asks only one.';
    assert.deepEqual(comments([sent(two, 1)], two), [asked]);
    // It's one model there, which both cases are sent to.
    const each = two.map((model) => sent([model], 1));
    assert.deepEqual(comments(each, two), [asked]);
    const { providers }: { readonly providers: readonly { readonly id: string }[] } = parse(promptfooConfig(each, two));
    assert.deepEqual(
      providers.map(({ id }) => id),
      ['openai:chat:m/1'],
    );
  });

  it('are a configuration for promptfoo with the same system prompt and parameters as in Parlance', async () => {
    const messages = [{ role: 'user', content: 'Hi' }] as const;
    const defaults = { model: 'm', systemPrompt: 'Be kind', temperature: 0.7, maxTokens: 50 };
    const options = { temperature: 0 };
    assert.deepEqual(sentCheck({ messages, options, hasSystemPrompt: true }, defaults), {
      messages: [{ role: 'system', content: 'Be kind' }, ...messages],
      options: { temperature: 0, maxTokens: 50 },
    });
    assert.deepEqual(sentCheck({ messages, options, hasSystemPrompt: false }, defaults).messages, messages);
    const blank = { ...defaults, systemPrompt: ' ' };
    assert.deepEqual(sentCheck({ messages, options, hasSystemPrompt: true }, blank).messages, messages);
  });

  it('are a configuration for promptfoo in which no value is loaded from a file', async () => {
    const { cases } = await read(
      `cases:\n  - name: a\n    messages: [{ role: user, content: x }]\n    vars: { f: 'file:', p: 'package:' }\n    assert:\n      - { type: equals, value: '{{f}}//a.js' }\n      - { type: contains-any, value: ['{{p}}x', 'see file://y', '{{f}}//z'] }\n`,
    );
    const [check] = cases;
    assert.ok(check?.notRun === undefined && check !== undefined);
    const written = promptfooConfig([{ check, messages: [], options: {}, models: ['m'], repeat: 1 }], ['m']);
    const { tests } = parse(written) as {
      readonly tests: readonly { readonly assert: readonly { value: unknown }[] }[];
    };
    assert.deepEqual(
      tests[0]?.assert.map(({ value }) => value),
      ['{{ "file:" }}//a.js', ['{{ "package:" }}x', 'see file://y', '{{ "file:" }}//z']],
    );
  });
});
