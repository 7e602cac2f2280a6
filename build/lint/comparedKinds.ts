import type { Node } from 'oxc-parser';
import { mediaKinds } from '../../src/shared/media.ts';

interface RuleContext {
  readonly sourceCode: { getText(node: Node): string };
  report(problem: { readonly node: Node; readonly message: string }): void;
}

function isMediaKind(node: Node): boolean {
  return node.type === 'Literal' && mediaKinds.some((kind) => kind === node.value);
}

/** A media kind that is compared: a third kind would silently be treated like one of the others there. */
const comparedKinds = {
  create: (context: RuleContext) => ({
    BinaryExpression(node: Extract<Node, { type: 'BinaryExpression' }>): void {
      const sides = [node.left, node.right];
      const isComparison = /^[!=]==?$/.test(node.operator) && sides.some(isMediaKind);
      if (!isComparison || !sides.some((side) => /\bkind$/i.test(context.sourceCode.getText(side)))) return;
      context.report({
        node,
        message: 'Use a Record<MediaKind, …>, so that the compiler finds what a new kind needs.',
      });
    },
  }),
};

/** The rules that oxlint doesn't have. It loads this file by itself. */
// oxlint-disable-next-line import/no-default-export -- the form of a plugin
export default { meta: { name: 'parlance' }, rules: { 'compared-kinds': comparedKinds } };
