import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lexer, type Token, type Tokens } from 'marked';
import { caseMessages } from '../../src/core/checks/caseMessages.ts';
import { checksCsv, checksJunit, checksMarkdown, promptfooConfig } from '../../src/core/checks/checksExports.ts';
import { readPromptfooConfig } from '../../src/core/checks/promptfoo/promptfooConfig.ts';
import { readChecksFile } from '../../src/core/checks/readChecksFile.ts';
import { chatNumberFields } from '../../src/shared/chatParameters.ts';
import type { ChecksView } from '../../src/shared/checks.ts';
import { startInferenceService } from '../service/inferenceService.ts';
import { installOracle } from './installOracle.ts';

/** With its own fields in alphabetical order. */
function sortedJson(body: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(body).toSorted(([a], [b]) => a.localeCompare(b))));
}

const oddName = `Ada's "odd" <name> &lt; more, | with\na line, ünïcode 🎈 and \u0001`;
const view: ChecksView = {
  files: [
    {
      uri: 'file:///a',
      name: 'a & b.checks.yaml',
      rows: [
        {
          id: '1',
          name: oddName,
          cells: [
            { state: 'passed', passed: 3, counted: 3 },
            { state: 'flaky', passed: 2, counted: 3 },
          ],
        },
        {
          id: '2',
          name: '=1+1',
          cells: [
            { state: 'undecided', passed: 0, counted: 0 },
            { state: 'none', passed: 0, counted: 0 },
          ],
        },
        // It's in none of the lists: no model is asked.
        {
          id: '3',
          name: 'Sent to nobody',
          cells: [
            { state: 'unlisted', passed: 0, counted: 0 },
            { state: 'unlisted', passed: 0, counted: 0 },
          ],
        },
      ],
    },
  ],
  columns: ['local/one', 'local/two'].map((model) => ({
    key: model,
    model,
    passed: 3,
    counted: 3,
    undecided: 0,
    passesAll: true,
    isFinished: true,
    costPerThousand: 0.2,
    isEstimate: false,
    totalMs: 1234,
  })),
  order: 'cheapest',
  isRunning: false,
  cost: 1,
  isCostAtLeast: false,
  isCostEstimate: false,
  repeat: [3, 3],
};

// The parsers are those that promptfoo brings along.
describe('Exported checks, read by other programs', () => {
  const load = (name: string): unknown => createRequire(join(import.meta.dirname, 'package.json'))(name);

  before(async function () {
    this.timeout(1_800_000);
    await installOracle();
  });

  it('are CSV with the same names and figures in each line', () => {
    const { parse } = load('csv-parse/sync') as {
      parse: (this: void, text: string, options: object) => readonly Record<string, string>[];
    };
    const lines = parse(checksCsv(view), { columns: true });
    assert.deepEqual(
      lines.map((line) => [line['file'], line['case'], line['model'], line['state'], line['passed'], line['counted']]),
      [
        ['a & b.checks.yaml', oddName, 'local/one', 'passed', '3', '3'],
        ['a & b.checks.yaml', oddName, 'local/two', 'flaky', '2', '3'],
        ['a & b.checks.yaml', "'=1+1", 'local/one', "couldn't run", '0', '0'],
        ['a & b.checks.yaml', "'=1+1", 'local/two', 'not run', '0', '0'],
      ],
    );
    assert.deepEqual([lines[0]?.['model_cost_per_1000'], lines[0]?.['model_median_total_ms']], ['0.2', '1234']);
  });

  it('are valid JUnit XML with one test per case and model', () => {
    const { XMLParser, XMLValidator } = load('fast-xml-parser') as {
      XMLParser: new (options: object) => { parse(text: string): unknown };
      XMLValidator: { validate(text: string): unknown };
    };
    const xml = checksJunit(view);
    assert.equal(XMLValidator.validate(xml), true);
    const reader = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', processEntities: true });
    const shown = oddName.replace('\n', ' ').replace('\u0001', '\uFFFD');
    assert.deepEqual((reader.parse(xml) as { testsuites: unknown }).testsuites, {
      testsuite: {
        name: 'a & b.checks.yaml',
        tests: '4',
        failures: '1',
        errors: '1',
        skipped: '1',
        testcase: [
          { classname: 'local/one', name: shown },
          { classname: 'local/two', name: shown, failure: { message: '2/3 flaky' } },
          { classname: 'local/one', name: '=1+1', error: { message: "couldn't run" } },
          { classname: 'local/two', name: '=1+1', skipped: '' },
        ],
      },
    });
  });

  it('are one Markdown table with as many cells in each row', () => {
    const [table, ...others] = lexer(checksMarkdown(view)).filter(({ type }) => type !== 'space');
    assert.ok(table?.type === 'table' && others.length === 0);
    const { header, rows } = table as Tokens.Table;
    assert.deepEqual([header.length, ...rows.map((row) => row.length)], [3, 3, 3, 3, 3, 3, 3, 3]);
    // Surplus cells of a row are dropped, so a bar that isn't escaped shows in the texts.
    assert.deepEqual(
      rows[4]?.slice(1).map(({ text }) => text),
      ['3/3 passed', '2/3 flaky'],
    );
    const plain = (tokens: readonly Token[]) => tokens.every(({ type }) => type === 'text' || type === 'escape');
    const [odd] = rows[4] ?? [];
    assert.ok(odd !== undefined && plain(odd.tokens), JSON.stringify(odd));
  });

  it('are a configuration with which promptfoo sends the same messages and reaches the same verdicts', async function () {
    this.timeout(300_000);
    const service = await startInferenceService({ tokensPerSecond: Number.POSITIVE_INFINITY });
    const folder = await mkdtemp(join(tmpdir(), 'parlance-export-'));
    try {
      const text = `cases:
  - name: Passes
    messages: [{ role: system, content: Be brief }, { role: user, content: 'Say "{{x}}" 🎈' }]
    vars: { x: 'a {% b %} c {% endraw %} {%- raw -%} {% raw %} \\ "{{ d }}"' }
    assert:
      - { type: icontains, value: 'SAY "{{x}}"' }
      - { type: not-regex, value: zebra }
      - { type: word-count, value: { min: 1, max: 30 } }
  - name: Fails
    messages: [{ role: user, content: 'Lines\\nof text' }]
    assert:
      - { type: starts-with, value: Lines }
      - { type: contains, value: zebra, weight: 2 }
  - name: Loads nothing
    messages: [{ role: user, content: 'Not file://none.txt' }]
    vars: { f: 'file:', p: 'package:' }
    assert:
      - { type: not-contains, value: '{{f}}//none.js' }
      - { type: not-contains, value: '{{p}}none:run' }
      - { type: contains-any, value: ['{{f}}//none.txt', '{{p}}none:run'] }
  - name: Is enough
    messages: [{ role: user, content: '{"a": [1]}' }]
    threshold: 0.5
    assert:
      - { type: is-json, value: { type: object, required: [a] } }
      - { type: equals, value: other }
`;
      const { cases, remarks } = await readChecksFile(text, {
        promptFile: 'p',
        readFile: async () => ({ fault: 'no' }),
      });
      assert.deepEqual(remarks, []);
      const all = cases.flatMap((check) => {
        const sent = caseMessages(check, {});
        const options = check.name === 'Fails' ? { temperature: 0.5, maxTokens: 99 } : {};
        return 'fault' in sent ? [] : [{ check, messages: sent.messages, options, models: ['local/echo'], repeat: 2 }];
      });
      const exported = promptfooConfig(all, ['local/echo']);
      await writeFile(join(folder, 'promptfooconfig.yaml'), exported);
      const readBack = await readPromptfooConfig(exported, async () => ({ fault: 'no' }));
      // The rest of the remarks are about the templates that these odd texts need.
      assert.deepEqual([readBack.remarks.filter(({ severity }) => severity === 'warning'), readBack.repeat], [[], 2]);
      const main = join(import.meta.dirname, 'node_modules/promptfoo/dist/src/entrypoint.js');
      const args = [main, 'eval', '--no-cache', '--no-write', '--no-progress-bar', '-o', 'results.json'];
      const env = {
        ...process.env,
        OPENAI_BASE_URL: service.baseUrl,
        OPENAI_API_KEY: service.apiKey,
        PROMPTFOO_CONFIG_DIR: folder,
        PROMPTFOO_DISABLE_TELEMETRY: '1',
        PROMPTFOO_DISABLE_UPDATE: '1',
      };
      // It ends with its own exit code if a case fails, which one of these is meant to.
      const told = await promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch(
        (error: unknown) => error,
      );
      const results = await readFile(join(folder, 'results.json'), 'utf8').catch(() => assert.fail(String(told)));
      const { results: read } = JSON.parse(results) as {
        results: { results: readonly { readonly success: boolean; readonly testCase: { description: string } }[] };
      };
      assert.deepEqual(read.results.map(({ success, testCase }) => `${testCase.description}: ${success}`).toSorted(), [
        'Fails: false',
        'Fails: false',
        'Is enough: true',
        'Is enough: true',
        'Loads nothing: true',
        'Loads nothing: true',
        'Passes: true',
        'Passes: true',
      ]);
      const sent = service.log().flatMap(({ kind, requestBody }) => {
        return kind === 'chat' ? [sortedJson(requestBody as object)] : [];
      });
      const expected = all.map(({ messages, options }) =>
        sortedJson({ model: 'local/echo', messages, stream: false, ...chatNumberFields(options) }),
      );
      assert.deepEqual(sent.toSorted(), [...expected, ...expected].toSorted());
    } finally {
      await service.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
