/** Three prompts in the sample workspace with checks: what a newcomer looks at first. */
export const sampleChecks: Readonly<Record<string, string>> = {
  '.github/prompts/explain-briefly.prompt.md': `---
description: Explains code in a few sentences
---
Explain this code in at most three sentences. Name the function.

\${fence}\${languageId}
\${selection}
\${fence}
`,
  '.github/prompts/explain-briefly.checks.yaml': `# Run these cases in the Testing view, or with the line above this one.
# Each model gets each case; a case passes if the reply is as expected.
models: [local/echo, local/writer]
repeat: 2

cases:
  - name: Names the function
    file: ../../src/tasks.ts
    assert:
      - type: contains
        value: removeDone

  - name: Stays short
    selection: const answer = 42;
    language: typescript
    assert:
      - type: word-count
        value: { max: 120 }
      - type: finish-reason
        value: stop
`,
  '.github/prompts/greet.prompt.md': `---
description: Greets somebody in a language
---
Greet \${input:name:Who is greeted?} in \${input:language:Which language?}.
`,
  '.github/prompts/greet.checks.yaml': `# Values of the prompt's inputs are below "vars". {{name}} is one of them.
models: [local/echo]

cases:
  - name: Uses the name
    vars: { name: Ada, language: French }
    assert:
      - type: contains
        value: '{{name}}'

  - name: Says nothing about being a model
    vars: { name: Bo, language: English }
    assert:
      - type: not-icontains
        value: language model
      - type: latency
        threshold: 20000
`,
  '.github/prompts/as-json.prompt.md': `---
description: Turns text into JSON
temperature: 0
---
Reply with one JSON object that has the fields "title" and "done", and with nothing else:

\${selection}
`,
  '.github/prompts/as-json.checks.yaml': `# A JSON schema says what the object must be like. The local models don't write JSON, so this one fails.
cases:
  - name: Is an object with both fields
    selection: Buy milk (finished)
    assert:
      - type: is-json
        value:
          type: object
          required: [title, done]
          properties:
            title: { type: string }
            done: { type: boolean }
`,
};
