import type { Node } from 'oxc-parser';
import { mediaKinds } from '../../src/shared/media.ts';
import type { RuleContext } from './ruleContext.ts';

function isMediaKind(node: Node): boolean {
  return node.type === 'Literal' && mediaKinds.some((kind) => kind === node.value);
}

/** A media kind that is compared: a third kind would silently be treated like one of the others there. */
export const comparedKinds = {
  create: (context: RuleContext) => ({
    BinaryExpression(node: Extract<Node, { type: 'BinaryExpression' }>): void {
      const sides = [node.left, node.right];
      const isComparison = /^[!=]==?$/.test(node.operator) && sides.some(isMediaKind);
      if (
        !isComparison ||
        !sides.some((side) => /\b(kind|operation|ability|capability)$/i.test(context.sourceCode.getText(side)))
      )
        return;
      context.report({
        node,
        message: 'Use a Record<MediaKind, …>, so that the compiler finds what a new kind needs.',
      });
    },
  }),
};
