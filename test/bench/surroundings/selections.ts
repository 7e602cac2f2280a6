import { join } from 'node:path';
import { projectFolder } from '../../workbench/folders.ts';

/** Code of a real project that a prompt could be about. */
export interface Selection {
  readonly name: string;
  /** Within the repository. */
  readonly file: string;
  /** The code begins with the first occurrence of this text. */
  readonly from: string;
  /** And ends with the next occurrence of this one. */
  readonly to: string;
  /** What a colleague would look up to understand the code, in the words of the sources. Written before measuring. */
  readonly needed: readonly string[];
}

export interface Repository {
  readonly name: string;
  /** The folders of it that are opened, by name in the workspace. */
  readonly folders: Readonly<Record<string, string>>;
  /** `none`: only what the text itself says. */
  readonly server: 'typescript' | 'pyright' | 'gopls' | 'none';
  readonly selections: readonly Selection[];
}

const packages = join(import.meta.dirname, '..', 'node_modules');

const cobra = { cobra: '/usr/share/gocode/src/github.com/spf13/cobra' };
const inCobra: readonly Selection[] = [
  {
    name: 'Command.ExecuteC',
    file: 'cobra/command.go',
    from: 'func (c *Command) ExecuteC()',
    to: '\n}',
    needed: [
      'type Command struct',
      'import (',
      'func (c *Command) Root()',
      'func (c *Command) HasParent()',
      'func (c *Command) InitDefaultHelpCmd()',
      'func (c *Command) checkCommandGroups()',
    ],
  },
  {
    name: 'legacyArgs',
    file: 'cobra/args.go',
    from: 'func legacyArgs(',
    to: '\n}',
    needed: ['import (', 'type Command struct', 'func (c *Command) HasSubCommands()'],
  },
];

export const repositories: readonly Repository[] = [
  {
    name: 'Parlance (TypeScript)',
    folders: { src: join(projectFolder, 'src') },
    server: 'typescript',
    selections: [
      {
        name: 'LongChat.#leaveOut',
        file: 'src/vscode/chat/longChat.ts',
        from: '  #leaveOut(): void {',
        to: '\n  }',
        needed: [
          'class LongChat',
          'lineThatFits',
          'interface LongChatPage',
          'interface LongChatDeps',
          'function lineThatFits',
        ],
      },
      {
        name: 'largerModels',
        file: 'src/core/chat/measureConversation.ts',
        from: 'function largerModels',
        to: '\n}',
        needed: [
          'interface KnownModels',
          'interface LargerModel',
          'interface ModelInfo',
          'function mayChat',
          'const roomierBy',
          'const offeredModels',
          'function order',
          'function priceOf',
        ],
      },
    ],
  },
  {
    name: 'RxJS (TypeScript)',
    folders: { src: join(packages, 'rxjs', 'src') },
    server: 'typescript',
    selections: [
      {
        name: 'Subject.next',
        file: 'src/internal/Subject.ts',
        from: '  next(value: T) {',
        to: '\n  }',
        needed: [
          'class Subject<T>',
          'import { errorContext }',
          'function errorContext(',
          '_throwIfClosed()',
          'currentObservers: Observer<T>[]',
          'isStopped',
          'interface Observer<T>',
        ],
      },
      {
        name: 'mergeInternals.doInnerSub',
        file: 'src/internal/operators/mergeInternals.ts',
        from: '  const doInnerSub = ',
        to: '\n  };',
        needed: [
          'function mergeInternals<T, R>(',
          'project: (value: T, index: number) => ObservableInput<R>',
          "from '../observable/innerFrom'",
          'function innerFrom',
          'function createOperatorSubscriber',
          'function executeSchedule',
          'const checkComplete',
          'const buffer',
        ],
      },
    ],
  },
  {
    name: 'gyp (Python)',
    folders: { gyp: join(packages, 'node-gyp', 'gyp', 'pylib', 'gyp') },
    server: 'pyright',
    selections: [
      {
        name: 'Writer.AddDebugSettings, its body',
        file: 'gyp/MSVSUserFile.py',
        from: '        command = _QuoteWin32',
        to: '.append(n_cmd)',
        needed: [
          'class Writer',
          'def AddDebugSettings(',
          'import socket',
          'def _QuoteWin32CommandLineArgs(args)',
          'def _FindCommandInPath(command)',
          'def AddConfig(self, name)',
        ],
      },
      {
        name: 'Writer.WriteIfChanged',
        file: 'gyp/MSVSUserFile.py',
        from: '    def WriteIfChanged(self):',
        to: 'encoding="Windows-1252"\n        )',
        needed: [
          'class Writer',
          'from gyp import easy_xml',
          'def WriteXmlIfChanged(',
          'def __init__(self, user_file_path, version, name)',
        ],
      },
      {
        name: 'NinjaWriter.WriteCopies',
        file: 'gyp/generator/ninja.py',
        from: '    def WriteCopies(',
        to: 'return outputs',
        needed: [
          'class NinjaWriter',
          'import os',
          'def GypPathToNinja(self, path, env=None)',
          'def GetToolchainEnv(self, additional_settings=None)',
        ],
      },
    ],
  },
  { name: 'cobra (Go)', folders: cobra, server: 'none', selections: inCobra },
  { name: 'cobra (Go, with gopls)', folders: cobra, server: 'gopls', selections: inCobra },
  {
    name: 'serde_json (Rust)',
    folders: { serde_json: '/usr/share/cargo/registry/serde_json-1.0.87' },
    server: 'none',
    selections: [
      {
        name: 'Index for str, index_or_insert',
        file: 'serde_json/src/value/index.rs',
        from: '        if let Value::Null = v {',
        to: '\n        }\n    }',
        needed: ['impl Index for str', 'fn index_or_insert', 'use super::Value;', 'struct Type', 'pub enum Value'],
      },
      {
        name: 'format_escaped_str_contents, its body',
        file: 'serde_json/src/ser.rs',
        from: '    let bytes = value.as_bytes();',
        to: '&value[start..])',
        needed: [
          'fn format_escaped_str_contents',
          'use ',
          'static ESCAPE',
          'fn from_escape_table',
          'fn write_string_fragment',
        ],
      },
    ],
  },
];
