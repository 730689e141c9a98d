#!/usr/bin/env bash
# Makes ttree_objects.root, ttree_branch_clones.root, ttree_counted.root, ttree_unread.root and ttree_split.root: objects/make.sh build/root-venv
. "$(dirname "$0")/../program.sh"
for version in 1 2; do
  build Objects.h -DVERSION=$version
  ./make "$([ $version = 1 ] && echo old || echo new)" "$here/../ttree_objects.root" \
    "$here/../ttree_branch_clones.root" "$here/../ttree_counted.root" "$here/../ttree_unread.root" \
    "$here/../ttree_split.root"
done
