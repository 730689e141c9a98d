void {name}::setMomentum(float x, float y, float z) { setMomentum({x, y, z}); }
