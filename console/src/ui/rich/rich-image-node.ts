import { DecoratorNode, type LexicalNode, type NodeKey } from 'lexical';
import type { RichImage } from './rich-tree.ts';

/** An image in the editor. The address of its element is set when the image has loaded. */
export class ImageNode extends DecoratorNode<null> {
  readonly image: RichImage;

  constructor(image: RichImage = { key: '', alt: '' }, key?: NodeKey) {
    super(key);
    this.image = image;
  }

  static override getType(): string {
    return 'image';
  }

  static override clone(node: ImageNode): ImageNode {
    return new ImageNode(node.image, node.getKey());
  }

  override createDOM(): HTMLElement {
    const element = document.createElement('img');
    element.className = 'ht-rich-image';
    element.alt = this.image.alt;
    if (this.image.width !== undefined) element.width = this.image.width;
    if (this.image.height !== undefined) element.height = this.image.height;
    return element;
  }

  override updateDOM(): boolean {
    return false;
  }

  override isInline(): true {
    return true;
  }

  override decorate(): null {
    return null;
  }
}

export const $isImageNode = (node: LexicalNode): node is ImageNode => node instanceof ImageNode;
