import type { Node } from 'oxc-parser';
import type { RuleContext } from './ruleContext.ts';

/** A selection that a test assigns: a report of VS Code about an earlier one can undo it for a moment. */
export const settledSelections = {
  create: (context: RuleContext) => ({
    AssignmentExpression(node: Extract<Node, { type: 'AssignmentExpression' }>): void {
      if (!/\.selections?$/.test(context.sourceCode.getText(node.left))) return;
      context.report({ node, message: 'Use setSelection, which waits until VS Code has reported it back.' });
    },
  }),
};
