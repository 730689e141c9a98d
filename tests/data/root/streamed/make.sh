#!/usr/bin/env bash
# Makes ttree_streamed.root: streamed/make.sh build/root-venv
. "$(dirname "$0")/../program.sh"
build Streamed.h
./make "$here/../ttree_streamed.root"
