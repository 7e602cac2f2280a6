import type { Node } from 'oxc-parser';

/** What a rule uses of what oxlint gives it. */
export interface RuleContext {
  /** Absolute, with the system's separators. */
  readonly filename: string;
  readonly sourceCode: { getText(node: Node): string };
  report(problem: { readonly node: Node; readonly message: string }): void;
}
