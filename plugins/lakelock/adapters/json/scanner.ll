; Made of scanner.c by `python -m native`; SHA-256 of that file:
; 16ffb567e695221dbd61f346e0b0c87c01416dbf506cdf0046ccdaf9f9a5a51f

%struct.level = type { i64, i64, i64, i64, i64, i64, i8, i8, i8 }
%struct.node = type { ptr, i64, i64, i64, i64, i64 }

@.str = private constant [5 x i8] c"true\00", align 1
@.str.1 = private constant [6 x i8] c"false\00", align 1
@.str.2 = private constant [5 x i8] c"null\00", align 1

define void @scan_records(ptr %0) {
  %2 = alloca [4 x i8], align 1
  %3 = alloca i64, align 8
  %4 = alloca [4 x i8], align 1
  %5 = alloca i64, align 8
  %6 = alloca [4 x i8], align 1
  %7 = alloca i64, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = getelementptr inbounds i8, ptr %0, i64 104
  %11 = load ptr, ptr %10, align 8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %16, label %13

13:                                               ; preds = %1
  %14 = getelementptr inbounds i8, ptr %0, i64 112
  %15 = load ptr, ptr %14, align 8
  store i64 0, ptr %15, align 8
  br label %16

16:                                               ; preds = %13, %1
  %17 = getelementptr inbounds i8, ptr %0, i64 40
  %18 = load i64, ptr %17, align 8
  %19 = icmp sgt i64 %18, 0
  br i1 %19, label %20, label %33

20:                                               ; preds = %16
  %21 = getelementptr inbounds i8, ptr %0, i64 56
  %22 = getelementptr inbounds i8, ptr %0, i64 48
  %23 = getelementptr inbounds i8, ptr %0, i64 8
  %24 = getelementptr inbounds i8, ptr %0, i64 16
  %25 = getelementptr inbounds i8, ptr %0, i64 64
  %26 = getelementptr inbounds i8, ptr %0, i64 72
  %27 = getelementptr inbounds i8, ptr %0, i64 80
  %28 = getelementptr inbounds i8, ptr %0, i64 32
  %29 = getelementptr inbounds i8, ptr %0, i64 24
  %30 = getelementptr inbounds i8, ptr %0, i64 96
  %31 = getelementptr inbounds i8, ptr %0, i64 88
  %32 = getelementptr inbounds i8, ptr %0, i64 112
  br label %34

33:                                               ; preds = %782, %16
  ret void

34:                                               ; preds = %20, %782
  %35 = phi i64 [ 0, %20 ], [ %783, %782 ]
  %36 = phi i64 [ 0, %20 ], [ %40, %782 ]
  %37 = load ptr, ptr %21, align 8
  %38 = getelementptr inbounds i64, ptr %37, i64 %36
  %39 = load i64, ptr %38, align 8
  %40 = add i64 %36, 1
  %41 = getelementptr inbounds i64, ptr %37, i64 %40
  %42 = load i64, ptr %41, align 8
  %43 = add i64 %42, -1
  %44 = load ptr, ptr %22, align 8
  %45 = load ptr, ptr %23, align 8
  %46 = icmp slt i64 %39, %43
  br i1 %46, label %47, label %54

47:                                               ; preds = %34, %51
  %48 = phi i64 [ %52, %51 ], [ %39, %34 ]
  %49 = getelementptr inbounds i8, ptr %44, i64 %48
  %50 = load i8, ptr %49, align 1
  switch i8 %50, label %54 [
    i8 32, label %51
    i8 13, label %51
    i8 9, label %51
    i8 10, label %51
  ]

51:                                               ; preds = %47, %47, %47, %47
  %52 = add i64 %48, 1
  %53 = icmp eq i64 %52, %43
  br i1 %53, label %761, label %47

54:                                               ; preds = %47, %34
  %55 = phi i64 [ %39, %34 ], [ %48, %47 ]
  %56 = icmp slt i64 %55, %43
  br i1 %56, label %57, label %761

57:                                               ; preds = %54
  %58 = getelementptr inbounds i8, ptr %44, i64 %55
  %59 = load i8, ptr %58, align 1
  %60 = icmp eq i8 %59, 123
  br i1 %60, label %61, label %761

61:                                               ; preds = %57, %754
  %62 = phi i8 [ %760, %754 ], [ 123, %57 ]
  %63 = phi i64 [ %758, %754 ], [ 0, %57 ]
  %64 = phi i64 [ %757, %754 ], [ -1, %57 ]
  %65 = phi i64 [ %756, %754 ], [ %35, %57 ]
  %66 = phi i64 [ %755, %754 ], [ %55, %57 ]
  %67 = getelementptr inbounds i8, ptr %44, i64 %66
  %68 = icmp eq i8 %62, 123
  switch i8 %62, label %120 [
    i8 123, label %69
    i8 91, label %69
  ]

69:                                               ; preds = %61, %61
  %70 = add i64 %64, 1
  %71 = load i64, ptr %24, align 8
  %72 = icmp slt i64 %70, %71
  br i1 %72, label %73, label %761

73:                                               ; preds = %69
  %74 = getelementptr inbounds %struct.level, ptr %45, i64 %70
  %75 = zext i1 %68 to i8
  %76 = getelementptr inbounds i8, ptr %74, i64 48
  store i8 %75, ptr %76, align 8
  %77 = getelementptr inbounds i8, ptr %74, i64 50
  store i8 0, ptr %77, align 2
  %78 = getelementptr inbounds i8, ptr %74, i64 49
  store i8 0, ptr %78, align 1
  store i64 %63, ptr %74, align 8
  %79 = icmp slt i64 %63, 0
  br i1 %79, label %86, label %80

80:                                               ; preds = %73
  %81 = load ptr, ptr %0, align 8
  %82 = getelementptr inbounds %struct.node, ptr %81, i64 %63
  %83 = getelementptr inbounds i8, ptr %82, i64 16
  %84 = load i64, ptr %83, align 8
  %85 = add i64 %84, -1
  br label %86

86:                                               ; preds = %80, %73
  %87 = phi i64 [ %85, %80 ], [ -1, %73 ]
  %88 = getelementptr inbounds i8, ptr %74, i64 40
  store i64 %87, ptr %88, align 8
  %89 = getelementptr inbounds i8, ptr %74, i64 32
  store i64 -1, ptr %89, align 8
  %90 = add i64 %66, 1
  %91 = icmp slt i64 %90, %43
  br i1 %91, label %92, label %99

92:                                               ; preds = %86, %96
  %93 = phi i64 [ %97, %96 ], [ %90, %86 ]
  %94 = getelementptr inbounds i8, ptr %44, i64 %93
  %95 = load i8, ptr %94, align 1
  switch i8 %95, label %99 [
    i8 32, label %96
    i8 13, label %96
    i8 9, label %96
    i8 10, label %96
  ]

96:                                               ; preds = %92, %92, %92, %92
  %97 = add i64 %93, 1
  %98 = icmp eq i64 %97, %43
  br i1 %98, label %761, label %92

99:                                               ; preds = %92, %86
  %100 = phi i64 [ %90, %86 ], [ %93, %92 ]
  %101 = icmp slt i64 %100, %43
  br i1 %101, label %102, label %761

102:                                              ; preds = %99
  %103 = getelementptr inbounds i8, ptr %44, i64 %100
  %104 = load i8, ptr %103, align 1
  %105 = zext i8 %104 to i32
  %106 = select i1 %68, i32 125, i32 93
  %107 = icmp eq i32 %106, %105
  br i1 %107, label %496, label %108

108:                                              ; preds = %102
  %109 = or i1 %68, %79
  br i1 %109, label %119, label %110

110:                                              ; preds = %108
  %111 = load ptr, ptr %0, align 8
  %112 = getelementptr inbounds %struct.node, ptr %111, i64 %63
  %113 = getelementptr inbounds i8, ptr %112, i64 40
  %114 = load i64, ptr %113, align 8
  %115 = icmp eq i64 %114, 2
  br i1 %115, label %116, label %754

116:                                              ; preds = %110
  %117 = getelementptr inbounds i8, ptr %112, i64 16
  %118 = load i64, ptr %117, align 8
  br label %754

119:                                              ; preds = %108
  br i1 %68, label %516, label %754

120:                                              ; preds = %61
  switch i8 %62, label %169 [
    i8 34, label %121
    i8 116, label %124
    i8 102, label %139
    i8 110, label %154
  ]

121:                                              ; preds = %120
  %122 = add i64 %66, 1
  %123 = call fastcc i64 @end_of_string(ptr %44, i64 %122, i64 %43, ptr %8)
  br label %254

124:                                              ; preds = %120
  %125 = sub i64 %43, %66
  %126 = icmp slt i64 %125, 4
  br i1 %126, label %253, label %130

127:                                              ; preds = %130
  %128 = add i64 %131, 1
  %129 = icmp eq i64 %128, 4
  br i1 %129, label %137, label %130

130:                                              ; preds = %124, %127
  %131 = phi i64 [ %128, %127 ], [ 0, %124 ]
  %132 = getelementptr i8, ptr %67, i64 %131
  %133 = load i8, ptr %132, align 1
  %134 = getelementptr inbounds i8, ptr @.str, i64 %131
  %135 = load i8, ptr %134, align 1
  %136 = icmp eq i8 %133, %135
  br i1 %136, label %127, label %253

137:                                              ; preds = %127
  %138 = add i64 %66, 4
  br label %254

139:                                              ; preds = %120
  %140 = sub i64 %43, %66
  %141 = icmp slt i64 %140, 5
  br i1 %141, label %253, label %145

142:                                              ; preds = %145
  %143 = add i64 %146, 1
  %144 = icmp eq i64 %143, 5
  br i1 %144, label %152, label %145

145:                                              ; preds = %139, %142
  %146 = phi i64 [ %143, %142 ], [ 0, %139 ]
  %147 = getelementptr i8, ptr %67, i64 %146
  %148 = load i8, ptr %147, align 1
  %149 = getelementptr inbounds i8, ptr @.str.1, i64 %146
  %150 = load i8, ptr %149, align 1
  %151 = icmp eq i8 %148, %150
  br i1 %151, label %142, label %253

152:                                              ; preds = %142
  %153 = add i64 %66, 5
  br label %254

154:                                              ; preds = %120
  %155 = sub i64 %43, %66
  %156 = icmp slt i64 %155, 4
  br i1 %156, label %253, label %160

157:                                              ; preds = %160
  %158 = add i64 %161, 1
  %159 = icmp eq i64 %158, 4
  br i1 %159, label %167, label %160

160:                                              ; preds = %154, %157
  %161 = phi i64 [ %158, %157 ], [ 0, %154 ]
  %162 = getelementptr i8, ptr %67, i64 %161
  %163 = load i8, ptr %162, align 1
  %164 = getelementptr inbounds i8, ptr @.str.2, i64 %161
  %165 = load i8, ptr %164, align 1
  %166 = icmp eq i8 %163, %165
  br i1 %166, label %157, label %253

167:                                              ; preds = %157
  %168 = add i64 %66, 4
  br label %254

169:                                              ; preds = %120
  %170 = icmp eq i8 %62, 45
  %171 = zext i1 %170 to i64
  %172 = add i64 %66, %171
  %173 = icmp slt i64 %172, %43
  br i1 %173, label %174, label %253

174:                                              ; preds = %169
  %175 = getelementptr inbounds i8, ptr %44, i64 %172
  %176 = load i8, ptr %175, align 1
  %177 = icmp eq i8 %176, 48
  br i1 %177, label %178, label %180

178:                                              ; preds = %174
  %179 = add i64 %172, 1
  br label %195

180:                                              ; preds = %174
  %181 = add i8 %176, -58
  %182 = icmp ult i8 %181, -10
  br i1 %182, label %253, label %183

183:                                              ; preds = %180, %189
  %184 = phi i64 [ %190, %189 ], [ %172, %180 ]
  %185 = getelementptr inbounds i8, ptr %44, i64 %184
  %186 = load i8, ptr %185, align 1
  %187 = add i8 %186, -58
  %188 = icmp ult i8 %187, -10
  br i1 %188, label %192, label %189

189:                                              ; preds = %183
  %190 = add i64 %184, 1
  %191 = icmp eq i64 %190, %43
  br i1 %191, label %192, label %183

192:                                              ; preds = %189, %183
  %193 = phi i64 [ %184, %183 ], [ %43, %189 ]
  %194 = icmp slt i64 %193, 0
  br i1 %194, label %253, label %195

195:                                              ; preds = %192, %178
  %196 = phi i64 [ %179, %178 ], [ %193, %192 ]
  %197 = icmp slt i64 %196, %43
  br i1 %197, label %198, label %222

198:                                              ; preds = %195
  %199 = getelementptr inbounds i8, ptr %44, i64 %196
  %200 = load i8, ptr %199, align 1
  %201 = icmp eq i8 %200, 46
  br i1 %201, label %202, label %222

202:                                              ; preds = %198
  %203 = add i64 %196, 1
  %204 = icmp slt i64 %203, %43
  br i1 %204, label %205, label %253

205:                                              ; preds = %202
  %206 = getelementptr inbounds i8, ptr %44, i64 %203
  %207 = load i8, ptr %206, align 1
  %208 = add i8 %207, -58
  %209 = icmp ult i8 %208, -10
  br i1 %209, label %253, label %210

210:                                              ; preds = %205, %216
  %211 = phi i64 [ %217, %216 ], [ %203, %205 ]
  %212 = getelementptr inbounds i8, ptr %44, i64 %211
  %213 = load i8, ptr %212, align 1
  %214 = add i8 %213, -58
  %215 = icmp ult i8 %214, -10
  br i1 %215, label %219, label %216

216:                                              ; preds = %210
  %217 = add i64 %211, 1
  %218 = icmp eq i64 %217, %43
  br i1 %218, label %219, label %210

219:                                              ; preds = %216, %210
  %220 = phi i64 [ %43, %216 ], [ %211, %210 ]
  %221 = icmp slt i64 %220, 0
  br i1 %221, label %253, label %222

222:                                              ; preds = %219, %198, %195
  %223 = phi i64 [ %220, %219 ], [ %196, %198 ], [ %196, %195 ]
  %224 = icmp slt i64 %223, %43
  br i1 %224, label %225, label %254

225:                                              ; preds = %222
  %226 = getelementptr inbounds i8, ptr %44, i64 %223
  %227 = load i8, ptr %226, align 1
  switch i8 %227, label %254 [
    i8 101, label %228
    i8 69, label %228
  ]

228:                                              ; preds = %225, %225
  %229 = add i64 %223, 1
  %230 = icmp slt i64 %229, %43
  br i1 %230, label %231, label %236

231:                                              ; preds = %228
  %232 = getelementptr inbounds i8, ptr %44, i64 %229
  %233 = load i8, ptr %232, align 1
  switch i8 %233, label %236 [
    i8 43, label %234
    i8 45, label %234
  ]

234:                                              ; preds = %231, %231
  %235 = add i64 %223, 2
  br label %236

236:                                              ; preds = %234, %231, %228
  %237 = phi i64 [ %235, %234 ], [ %229, %231 ], [ %229, %228 ]
  %238 = icmp slt i64 %237, %43
  br i1 %238, label %239, label %253

239:                                              ; preds = %236
  %240 = getelementptr inbounds i8, ptr %44, i64 %237
  %241 = load i8, ptr %240, align 1
  %242 = add i8 %241, -58
  %243 = icmp ult i8 %242, -10
  br i1 %243, label %253, label %244

244:                                              ; preds = %239, %250
  %245 = phi i64 [ %251, %250 ], [ %237, %239 ]
  %246 = getelementptr inbounds i8, ptr %44, i64 %245
  %247 = load i8, ptr %246, align 1
  %248 = add i8 %247, -58
  %249 = icmp ult i8 %248, -10
  br i1 %249, label %254, label %250

250:                                              ; preds = %244
  %251 = add i64 %245, 1
  %252 = icmp eq i64 %251, %43
  br i1 %252, label %254, label %244

253:                                              ; preds = %239, %236, %219, %205, %202, %192, %180, %169, %154, %139, %124, %160, %145, %130
  br label %761

254:                                              ; preds = %250, %244, %225, %222, %167, %152, %137, %121
  %255 = phi i64 [ %223, %222 ], [ %123, %121 ], [ %153, %152 ], [ %168, %167 ], [ %223, %225 ], [ %138, %137 ], [ %43, %250 ], [ %245, %244 ]
  %256 = icmp slt i64 %255, 0
  br i1 %256, label %761, label %257

257:                                              ; preds = %496, %254
  %258 = phi i64 [ %502, %496 ], [ %64, %254 ]
  %259 = phi i64 [ %500, %496 ], [ %65, %254 ]
  %260 = phi i64 [ %501, %496 ], [ %255, %254 ]
  %261 = getelementptr inbounds %struct.level, ptr %45, i64 %258
  %262 = getelementptr inbounds i8, ptr %261, i64 48
  %263 = load i8, ptr %262, align 8
  %264 = icmp eq i8 %263, 0
  br i1 %264, label %432, label %265

265:                                              ; preds = %257
  %266 = getelementptr inbounds i8, ptr %261, i64 32
  %267 = load i64, ptr %266, align 8
  %268 = icmp sgt i64 %267, -1
  br i1 %268, label %269, label %303

269:                                              ; preds = %265
  %270 = load ptr, ptr %0, align 8
  %271 = getelementptr inbounds %struct.node, ptr %270, i64 %267
  %272 = getelementptr inbounds i8, ptr %271, i64 32
  %273 = load i64, ptr %272, align 8
  %274 = icmp sgt i64 %273, -1
  br i1 %274, label %275, label %328

275:                                              ; preds = %269
  %276 = load i64, ptr %17, align 8
  %277 = mul i64 %276, %273
  %278 = add i64 %277, %36
  %279 = load ptr, ptr %26, align 8
  %280 = getelementptr inbounds i64, ptr %279, i64 %278
  %281 = load i64, ptr %280, align 8
  %282 = icmp slt i64 %281, 0
  br i1 %282, label %283, label %429

283:                                              ; preds = %275
  %284 = getelementptr inbounds i8, ptr %261, i64 24
  %285 = load i64, ptr %284, align 8
  store i64 %285, ptr %280, align 8
  %286 = load ptr, ptr %27, align 8
  %287 = getelementptr inbounds i64, ptr %286, i64 %278
  store i64 %260, ptr %287, align 8
  %288 = getelementptr inbounds i8, ptr %271, i64 40
  %289 = load i64, ptr %288, align 8
  %290 = icmp eq i64 %289, 4
  br i1 %290, label %291, label %328

291:                                              ; preds = %283
  %292 = load i64, ptr %284, align 8
  %293 = load ptr, ptr %25, align 8
  %294 = getelementptr inbounds i8, ptr %293, i64 %292
  store i8 48, ptr %294, align 1
  %295 = add i64 %292, 1
  %296 = icmp slt i64 %295, %260
  br i1 %296, label %297, label %328

297:                                              ; preds = %291, %297
  %298 = phi i64 [ %301, %297 ], [ %295, %291 ]
  %299 = load ptr, ptr %25, align 8
  %300 = getelementptr inbounds i8, ptr %299, i64 %298
  store i8 32, ptr %300, align 1
  %301 = add i64 %298, 1
  %302 = icmp eq i64 %301, %260
  br i1 %302, label %328, label %297

303:                                              ; preds = %265
  %304 = load i64, ptr %261, align 8
  %305 = icmp sgt i64 %304, -1
  br i1 %305, label %306, label %426

306:                                              ; preds = %303
  %307 = load ptr, ptr %0, align 8
  %308 = getelementptr inbounds %struct.node, ptr %307, i64 %304
  %309 = getelementptr inbounds i8, ptr %308, i64 40
  %310 = load i64, ptr %309, align 8
  %311 = icmp eq i64 %310, 1
  br i1 %311, label %312, label %426

312:                                              ; preds = %306
  %313 = load ptr, ptr %10, align 8
  %314 = icmp eq ptr %313, null
  br i1 %314, label %426, label %315

315:                                              ; preds = %312
  %316 = getelementptr inbounds i8, ptr %261, i64 24
  %317 = load i64, ptr %316, align 8
  %318 = load ptr, ptr %25, align 8
  %319 = getelementptr inbounds i8, ptr %318, i64 %317
  store i8 48, ptr %319, align 1
  %320 = add i64 %317, 1
  %321 = icmp slt i64 %320, %260
  br i1 %321, label %322, label %332

322:                                              ; preds = %315, %322
  %323 = phi i64 [ %326, %322 ], [ %320, %315 ]
  %324 = load ptr, ptr %25, align 8
  %325 = getelementptr inbounds i8, ptr %324, i64 %323
  store i8 32, ptr %325, align 1
  %326 = add i64 %323, 1
  %327 = icmp eq i64 %326, %260
  br i1 %327, label %332, label %322

328:                                              ; preds = %297, %291, %283, %269
  %329 = getelementptr inbounds i8, ptr %261, i64 50
  %330 = load i8, ptr %329, align 2
  %331 = icmp eq i8 %330, 0
  br i1 %331, label %426, label %332

332:                                              ; preds = %322, %328, %315
  %333 = load ptr, ptr %10, align 8
  %334 = icmp eq ptr %333, null
  br i1 %334, label %426, label %335

335:                                              ; preds = %332
  %336 = icmp sgt i64 %258, 0
  br i1 %336, label %339, label %363

337:                                              ; preds = %354
  %338 = icmp sgt i64 %355, -1
  br i1 %338, label %360, label %363

339:                                              ; preds = %335, %354
  %340 = phi i64 [ %356, %354 ], [ 0, %335 ]
  %341 = phi i64 [ %355, %354 ], [ -1, %335 ]
  %342 = getelementptr inbounds %struct.level, ptr %45, i64 %340
  %343 = getelementptr inbounds i8, ptr %342, i64 32
  %344 = load i64, ptr %343, align 8
  %345 = icmp sgt i64 %344, -1
  br i1 %345, label %346, label %354

346:                                              ; preds = %339
  %347 = load ptr, ptr %0, align 8
  %348 = getelementptr inbounds %struct.node, ptr %347, i64 %344
  %349 = getelementptr inbounds i8, ptr %348, i64 40
  %350 = load i64, ptr %349, align 8
  %351 = and i64 %350, -2
  %352 = icmp eq i64 %351, 2
  %353 = select i1 %352, i64 %340, i64 %341
  br label %354

354:                                              ; preds = %346, %339
  %355 = phi i64 [ %341, %339 ], [ %353, %346 ]
  %356 = add i64 %340, 1
  %357 = icmp slt i64 %356, %258
  %358 = icmp slt i64 %355, 0
  %359 = select i1 %357, i1 %358, i1 false
  br i1 %359, label %339, label %337

360:                                              ; preds = %337
  %361 = getelementptr inbounds %struct.level, ptr %45, i64 %355
  %362 = getelementptr inbounds i8, ptr %361, i64 50
  store i8 1, ptr %362, align 2
  br label %426

363:                                              ; preds = %337, %335
  %364 = icmp slt i64 %258, 0
  br i1 %364, label %365, label %383

365:                                              ; preds = %422, %363
  %366 = phi i64 [ %259, %363 ], [ %423, %422 ]
  %367 = load ptr, ptr %23, align 8
  %368 = getelementptr inbounds %struct.level, ptr %367, i64 %258
  %369 = getelementptr inbounds i8, ptr %368, i64 24
  %370 = load i64, ptr %369, align 8
  %371 = icmp slt i64 %370, %260
  br i1 %371, label %372, label %426

372:                                              ; preds = %365, %372
  %373 = phi i64 [ %381, %372 ], [ %370, %365 ]
  %374 = phi i64 [ %379, %372 ], [ %366, %365 ]
  %375 = load ptr, ptr %22, align 8
  %376 = getelementptr inbounds i8, ptr %375, i64 %373
  %377 = load i8, ptr %376, align 1
  %378 = load ptr, ptr %10, align 8
  %379 = add i64 %374, 1
  %380 = getelementptr inbounds i8, ptr %378, i64 %374
  store i8 %377, ptr %380, align 1
  %381 = add i64 %373, 1
  %382 = icmp eq i64 %381, %260
  br i1 %382, label %426, label %372

383:                                              ; preds = %363, %422
  %384 = phi i64 [ %423, %422 ], [ %259, %363 ]
  %385 = phi i64 [ %424, %422 ], [ 0, %363 ]
  %386 = load ptr, ptr %23, align 8
  %387 = getelementptr inbounds %struct.level, ptr %386, i64 %385
  %388 = icmp slt i64 %385, %258
  br i1 %388, label %389, label %393

389:                                              ; preds = %383
  %390 = getelementptr inbounds i8, ptr %387, i64 105
  %391 = load i8, ptr %390, align 1
  %392 = icmp eq i8 %391, 0
  br i1 %392, label %393, label %422

393:                                              ; preds = %389, %383
  %394 = getelementptr inbounds i8, ptr %387, i64 49
  %395 = load i8, ptr %394, align 1
  %396 = icmp eq i8 %395, 0
  %397 = select i1 %396, i8 123, i8 44
  %398 = load ptr, ptr %10, align 8
  %399 = add i64 %384, 1
  %400 = getelementptr inbounds i8, ptr %398, i64 %384
  store i8 %397, ptr %400, align 1
  store i8 1, ptr %394, align 1
  %401 = getelementptr inbounds i8, ptr %387, i64 8
  %402 = load i64, ptr %401, align 8
  %403 = getelementptr inbounds i8, ptr %387, i64 16
  %404 = load i64, ptr %403, align 8
  %405 = icmp slt i64 %402, %404
  br i1 %405, label %406, label %417

406:                                              ; preds = %393, %406
  %407 = phi i64 [ %415, %406 ], [ %402, %393 ]
  %408 = phi i64 [ %413, %406 ], [ %399, %393 ]
  %409 = load ptr, ptr %22, align 8
  %410 = getelementptr inbounds i8, ptr %409, i64 %407
  %411 = load i8, ptr %410, align 1
  %412 = load ptr, ptr %10, align 8
  %413 = add i64 %408, 1
  %414 = getelementptr inbounds i8, ptr %412, i64 %408
  store i8 %411, ptr %414, align 1
  %415 = add i64 %407, 1
  %416 = icmp eq i64 %415, %404
  br i1 %416, label %417, label %406

417:                                              ; preds = %406, %393
  %418 = phi i64 [ %399, %393 ], [ %413, %406 ]
  %419 = load ptr, ptr %10, align 8
  %420 = add i64 %418, 1
  %421 = getelementptr inbounds i8, ptr %419, i64 %418
  store i8 58, ptr %421, align 1
  br label %422

422:                                              ; preds = %417, %389
  %423 = phi i64 [ %420, %417 ], [ %384, %389 ]
  %424 = add i64 %385, 1
  %425 = icmp eq i64 %385, %258
  br i1 %425, label %365, label %383

426:                                              ; preds = %372, %365, %360, %332, %328, %312, %306, %303
  %427 = phi i64 [ %259, %328 ], [ %259, %332 ], [ %259, %360 ], [ %259, %303 ], [ %366, %365 ], [ %259, %306 ], [ %259, %312 ], [ %379, %372 ]
  %428 = getelementptr inbounds i8, ptr %261, i64 50
  store i8 0, ptr %428, align 2
  br label %432

429:                                              ; preds = %275
  %430 = load ptr, ptr %30, align 8
  %431 = getelementptr inbounds i64, ptr %430, i64 %36
  store i64 %273, ptr %431, align 8
  br label %761

432:                                              ; preds = %426, %257
  %433 = phi i64 [ %427, %426 ], [ %259, %257 ]
  %434 = icmp slt i64 %260, %43
  br i1 %434, label %435, label %442

435:                                              ; preds = %432, %439
  %436 = phi i64 [ %440, %439 ], [ %260, %432 ]
  %437 = getelementptr inbounds i8, ptr %44, i64 %436
  %438 = load i8, ptr %437, align 1
  switch i8 %438, label %442 [
    i8 32, label %439
    i8 13, label %439
    i8 9, label %439
    i8 10, label %439
  ]

439:                                              ; preds = %435, %435, %435, %435
  %440 = add i64 %436, 1
  %441 = icmp eq i64 %440, %43
  br i1 %441, label %761, label %435

442:                                              ; preds = %435, %432
  %443 = phi i64 [ %260, %432 ], [ %436, %435 ]
  %444 = icmp slt i64 %443, %43
  br i1 %444, label %445, label %761

445:                                              ; preds = %442
  %446 = getelementptr inbounds i8, ptr %44, i64 %443
  %447 = load i8, ptr %446, align 1
  %448 = icmp eq i8 %447, 44
  br i1 %448, label %449, label %480

449:                                              ; preds = %445
  %450 = add i64 %443, 1
  %451 = icmp slt i64 %450, %43
  br i1 %451, label %452, label %459

452:                                              ; preds = %449, %456
  %453 = phi i64 [ %457, %456 ], [ %450, %449 ]
  %454 = getelementptr inbounds i8, ptr %44, i64 %453
  %455 = load i8, ptr %454, align 1
  switch i8 %455, label %459 [
    i8 32, label %456
    i8 13, label %456
    i8 9, label %456
    i8 10, label %456
  ]

456:                                              ; preds = %452, %452, %452, %452
  %457 = add i64 %453, 1
  %458 = icmp eq i64 %457, %43
  br i1 %458, label %761, label %452

459:                                              ; preds = %452, %449
  %460 = phi i64 [ %450, %449 ], [ %453, %452 ]
  %461 = icmp slt i64 %460, %43
  br i1 %461, label %462, label %761

462:                                              ; preds = %459
  %463 = load i8, ptr %262, align 8
  %464 = icmp eq i8 %463, 0
  br i1 %464, label %468, label %465

465:                                              ; preds = %462
  %466 = getelementptr inbounds i8, ptr %44, i64 %460
  %467 = load i8, ptr %466, align 1
  br label %516

468:                                              ; preds = %462
  %469 = load i64, ptr %261, align 8
  %470 = icmp sgt i64 %469, -1
  br i1 %470, label %471, label %754

471:                                              ; preds = %468
  %472 = load ptr, ptr %0, align 8
  %473 = getelementptr inbounds %struct.node, ptr %472, i64 %469
  %474 = getelementptr inbounds i8, ptr %473, i64 40
  %475 = load i64, ptr %474, align 8
  %476 = icmp eq i64 %475, 2
  br i1 %476, label %477, label %754

477:                                              ; preds = %471
  %478 = getelementptr inbounds i8, ptr %473, i64 16
  %479 = load i64, ptr %478, align 8
  br label %754

480:                                              ; preds = %445
  %481 = zext i8 %447 to i32
  %482 = load i8, ptr %262, align 8
  %483 = icmp eq i8 %482, 0
  %484 = select i1 %483, i32 93, i32 125
  %485 = icmp eq i32 %484, %481
  br i1 %485, label %486, label %761

486:                                              ; preds = %480
  %487 = getelementptr inbounds i8, ptr %261, i64 49
  %488 = load i8, ptr %487, align 1
  %489 = icmp eq i8 %488, 0
  br i1 %489, label %496, label %490

490:                                              ; preds = %486
  %491 = load ptr, ptr %10, align 8
  %492 = icmp eq ptr %491, null
  br i1 %492, label %496, label %493

493:                                              ; preds = %490
  %494 = add i64 %433, 1
  %495 = getelementptr inbounds i8, ptr %491, i64 %433
  store i8 125, ptr %495, align 1
  br label %496

496:                                              ; preds = %493, %490, %486, %102
  %497 = phi i64 [ %443, %493 ], [ %443, %490 ], [ %443, %486 ], [ %100, %102 ]
  %498 = phi i64 [ %258, %493 ], [ %258, %490 ], [ %258, %486 ], [ %70, %102 ]
  %499 = phi i64 [ %494, %493 ], [ %433, %490 ], [ %433, %486 ], [ %65, %102 ]
  %500 = freeze i64 %499
  %501 = add i64 %497, 1
  %502 = add i64 %498, -1
  %503 = icmp sgt i64 %498, 0
  br i1 %503, label %257, label %504

504:                                              ; preds = %496
  %505 = icmp slt i64 %501, %43
  br i1 %505, label %506, label %513

506:                                              ; preds = %504, %510
  %507 = phi i64 [ %511, %510 ], [ %501, %504 ]
  %508 = getelementptr inbounds i8, ptr %44, i64 %507
  %509 = load i8, ptr %508, align 1
  switch i8 %509, label %513 [
    i8 32, label %510
    i8 13, label %510
    i8 9, label %510
    i8 10, label %510
  ]

510:                                              ; preds = %506, %506, %506, %506
  %511 = add i64 %507, 1
  %512 = icmp eq i64 %511, %43
  br i1 %512, label %765, label %506

513:                                              ; preds = %506, %504
  %514 = phi i64 [ %501, %504 ], [ %507, %506 ]
  %515 = icmp eq i64 %514, %43
  br i1 %515, label %765, label %761

516:                                              ; preds = %465, %119
  %517 = phi i8 [ %104, %119 ], [ %467, %465 ]
  %518 = phi i64 [ %70, %119 ], [ %258, %465 ]
  %519 = phi i64 [ %65, %119 ], [ %433, %465 ]
  %520 = phi i64 [ %100, %119 ], [ %460, %465 ]
  %521 = getelementptr inbounds i8, ptr %44, i64 %520
  %522 = icmp eq i8 %517, 34
  br i1 %522, label %523, label %761

523:                                              ; preds = %516
  %524 = getelementptr inbounds %struct.level, ptr %45, i64 %518
  store i32 0, ptr %9, align 4
  %525 = getelementptr inbounds i8, ptr %524, i64 8
  store i64 %520, ptr %525, align 8
  %526 = add i64 %520, 1
  %527 = call fastcc i64 @end_of_string(ptr %44, i64 %526, i64 %43, ptr %9)
  %528 = icmp slt i64 %527, 0
  br i1 %528, label %751, label %529

529:                                              ; preds = %523
  %530 = getelementptr inbounds i8, ptr %524, i64 16
  store i64 %527, ptr %530, align 8
  %531 = getelementptr inbounds i8, ptr %524, i64 32
  store i64 -1, ptr %531, align 8
  %532 = load i64, ptr %524, align 8
  %533 = icmp sgt i64 %532, -1
  br i1 %533, label %534, label %721

534:                                              ; preds = %529
  %535 = load ptr, ptr %0, align 8
  %536 = getelementptr inbounds %struct.node, ptr %535, i64 %532
  %537 = getelementptr inbounds i8, ptr %536, i64 40
  %538 = load i64, ptr %537, align 8
  switch i64 %538, label %721 [
    i64 1, label %539
    i64 3, label %718
  ]

539:                                              ; preds = %534
  %540 = getelementptr inbounds i8, ptr %521, i64 1
  %541 = sub i64 %527, %520
  %542 = add i64 %541, -2
  %543 = load i32, ptr %9, align 4
  %544 = getelementptr inbounds i8, ptr %524, i64 40
  %545 = load i64, ptr %544, align 8
  %546 = add i64 %545, 1
  %547 = getelementptr inbounds i8, ptr %536, i64 16
  %548 = load i64, ptr %547, align 8
  %549 = getelementptr inbounds i8, ptr %536, i64 24
  %550 = load i64, ptr %549, align 8
  %551 = add i64 %550, %548
  %552 = icmp slt i64 %546, %551
  %553 = select i1 %552, i64 %546, i64 %548
  %554 = icmp eq i64 %550, 0
  br i1 %554, label %608, label %555

555:                                              ; preds = %539
  %556 = getelementptr inbounds %struct.node, ptr %535, i64 %553
  %557 = icmp eq i32 %543, 0
  br i1 %557, label %558, label %562

558:                                              ; preds = %555
  %559 = getelementptr inbounds i8, ptr %556, i64 8
  %560 = load i64, ptr %559, align 8
  %561 = icmp eq i64 %560, %542
  br i1 %561, label %562, label %608

562:                                              ; preds = %558, %555
  store i64 0, ptr %7, align 8
  %563 = icmp sgt i64 %541, 2
  %564 = getelementptr inbounds i8, ptr %556, i64 8
  br i1 %563, label %570, label %565

565:                                              ; preds = %562
  %566 = load i64, ptr %564, align 8
  br label %604

567:                                              ; preds = %599
  %568 = load i64, ptr %7, align 8
  %569 = icmp slt i64 %568, %542
  br i1 %569, label %570, label %604

570:                                              ; preds = %562, %567
  %571 = phi i64 [ %568, %567 ], [ 0, %562 ]
  %572 = phi i64 [ %590, %567 ], [ 0, %562 ]
  br i1 %557, label %575, label %573

573:                                              ; preds = %570
  %574 = call fastcc i32 @spelled(ptr %540, ptr %7, ptr %6)
  br label %579

575:                                              ; preds = %570
  %576 = add i64 %571, 1
  store i64 %576, ptr %7, align 8
  %577 = getelementptr inbounds i8, ptr %540, i64 %571
  %578 = load i8, ptr %577, align 1
  store i8 %578, ptr %6, align 1
  br label %579

579:                                              ; preds = %575, %573
  %580 = phi i32 [ %574, %573 ], [ 1, %575 ]
  %581 = zext i32 %580 to i64
  %582 = load i64, ptr %564, align 8
  %583 = sub i64 %582, %572
  %584 = icmp slt i64 %583, %581
  br i1 %584, label %603, label %585

585:                                              ; preds = %579
  %586 = load ptr, ptr %556, align 8
  %587 = add i64 %572, 1
  %588 = add i32 %580, -1
  %589 = zext i32 %588 to i64
  %590 = add i64 %587, %589
  br label %591

591:                                              ; preds = %599, %585
  %592 = phi i64 [ 0, %585 ], [ %601, %599 ]
  %593 = phi i64 [ %572, %585 ], [ %600, %599 ]
  %594 = getelementptr inbounds i8, ptr %586, i64 %593
  %595 = load i8, ptr %594, align 1
  %596 = getelementptr inbounds i8, ptr %6, i64 %592
  %597 = load i8, ptr %596, align 1
  %598 = icmp eq i8 %595, %597
  br i1 %598, label %599, label %603

599:                                              ; preds = %591
  %600 = add i64 %593, 1
  %601 = add i64 %592, 1
  %602 = icmp eq i64 %601, %581
  br i1 %602, label %567, label %591

603:                                              ; preds = %579, %591
  br label %608

604:                                              ; preds = %567, %565
  %605 = phi i64 [ %566, %565 ], [ %582, %567 ]
  %606 = phi i64 [ 0, %565 ], [ %590, %567 ]
  %607 = icmp eq i64 %606, %605
  br i1 %607, label %714, label %608

608:                                              ; preds = %604, %603, %558, %539
  %609 = trunc i64 %532 to i32
  %610 = xor i32 %609, -2128831035
  store i64 0, ptr %5, align 8
  %611 = icmp sgt i64 %541, 2
  br i1 %611, label %612, label %639

612:                                              ; preds = %608
  %613 = icmp eq i32 %543, 0
  br label %617

614:                                              ; preds = %629
  %615 = load i64, ptr %5, align 8
  %616 = icmp slt i64 %615, %542
  br i1 %616, label %617, label %639

617:                                              ; preds = %614, %612
  %618 = phi i64 [ 0, %612 ], [ %615, %614 ]
  %619 = phi i32 [ %610, %612 ], [ %636, %614 ]
  br i1 %613, label %623, label %620

620:                                              ; preds = %617
  %621 = call fastcc i32 @spelled(ptr %540, ptr %5, ptr %4)
  %622 = zext i32 %621 to i64
  br label %627

623:                                              ; preds = %617
  %624 = add i64 %618, 1
  store i64 %624, ptr %5, align 8
  %625 = getelementptr inbounds i8, ptr %540, i64 %618
  %626 = load i8, ptr %625, align 1
  store i8 %626, ptr %4, align 1
  br label %627

627:                                              ; preds = %623, %620
  %628 = phi i64 [ %622, %620 ], [ 1, %623 ]
  br label %629

629:                                              ; preds = %629, %627
  %630 = phi i64 [ 0, %627 ], [ %637, %629 ]
  %631 = phi i32 [ %619, %627 ], [ %636, %629 ]
  %632 = getelementptr inbounds i8, ptr %4, i64 %630
  %633 = load i8, ptr %632, align 1
  %634 = zext i8 %633 to i32
  %635 = xor i32 %631, %634
  %636 = mul i32 %635, 16777619
  %637 = add i64 %630, 1
  %638 = icmp eq i64 %637, %628
  br i1 %638, label %614, label %629

639:                                              ; preds = %614, %608
  %640 = phi i32 [ %610, %608 ], [ %636, %614 ]
  %641 = zext i32 %640 to i64
  %642 = load i64, ptr %28, align 8
  %643 = and i64 %642, %641
  %644 = load ptr, ptr %29, align 8
  %645 = getelementptr inbounds i64, ptr %644, i64 %643
  %646 = load i64, ptr %645, align 8
  %647 = icmp sgt i64 %646, -1
  br i1 %647, label %648, label %713

648:                                              ; preds = %639
  %649 = icmp eq i32 %543, 0
  br label %650

650:                                              ; preds = %707, %648
  %651 = phi i64 [ %646, %648 ], [ %711, %707 ]
  %652 = phi i64 [ %643, %648 ], [ %709, %707 ]
  %653 = icmp sge i64 %651, %548
  %654 = icmp slt i64 %651, %551
  %655 = select i1 %653, i1 %654, i1 false
  br i1 %655, label %656, label %707

656:                                              ; preds = %650
  %657 = getelementptr inbounds %struct.node, ptr %535, i64 %651
  br i1 %649, label %658, label %662

658:                                              ; preds = %656
  %659 = getelementptr inbounds i8, ptr %657, i64 8
  %660 = load i64, ptr %659, align 8
  %661 = icmp eq i64 %660, %542
  br i1 %661, label %662, label %707

662:                                              ; preds = %658, %656
  store i64 0, ptr %3, align 8
  %663 = getelementptr inbounds i8, ptr %657, i64 8
  br i1 %611, label %669, label %664

664:                                              ; preds = %662
  %665 = load i64, ptr %663, align 8
  br label %703

666:                                              ; preds = %698
  %667 = load i64, ptr %3, align 8
  %668 = icmp slt i64 %667, %542
  br i1 %668, label %669, label %703

669:                                              ; preds = %662, %666
  %670 = phi i64 [ %667, %666 ], [ 0, %662 ]
  %671 = phi i64 [ %689, %666 ], [ 0, %662 ]
  br i1 %649, label %674, label %672

672:                                              ; preds = %669
  %673 = call fastcc i32 @spelled(ptr %540, ptr %3, ptr %2)
  br label %678

674:                                              ; preds = %669
  %675 = add i64 %670, 1
  store i64 %675, ptr %3, align 8
  %676 = getelementptr inbounds i8, ptr %540, i64 %670
  %677 = load i8, ptr %676, align 1
  store i8 %677, ptr %2, align 1
  br label %678

678:                                              ; preds = %674, %672
  %679 = phi i32 [ %673, %672 ], [ 1, %674 ]
  %680 = zext i32 %679 to i64
  %681 = load i64, ptr %663, align 8
  %682 = sub i64 %681, %671
  %683 = icmp slt i64 %682, %680
  br i1 %683, label %702, label %684

684:                                              ; preds = %678
  %685 = load ptr, ptr %657, align 8
  %686 = add i64 %671, 1
  %687 = add i32 %679, -1
  %688 = zext i32 %687 to i64
  %689 = add i64 %686, %688
  br label %690

690:                                              ; preds = %698, %684
  %691 = phi i64 [ 0, %684 ], [ %700, %698 ]
  %692 = phi i64 [ %671, %684 ], [ %699, %698 ]
  %693 = getelementptr inbounds i8, ptr %685, i64 %692
  %694 = load i8, ptr %693, align 1
  %695 = getelementptr inbounds i8, ptr %2, i64 %691
  %696 = load i8, ptr %695, align 1
  %697 = icmp eq i8 %694, %696
  br i1 %697, label %698, label %702

698:                                              ; preds = %690
  %699 = add i64 %692, 1
  %700 = add i64 %691, 1
  %701 = icmp eq i64 %700, %680
  br i1 %701, label %666, label %690

702:                                              ; preds = %678, %690
  br label %707

703:                                              ; preds = %666, %664
  %704 = phi i64 [ %665, %664 ], [ %681, %666 ]
  %705 = phi i64 [ 0, %664 ], [ %689, %666 ]
  %706 = icmp eq i64 %705, %704
  br i1 %706, label %714, label %707

707:                                              ; preds = %703, %702, %658, %650
  %708 = add i64 %652, 1
  %709 = and i64 %708, %642
  %710 = getelementptr inbounds i64, ptr %644, i64 %709
  %711 = load i64, ptr %710, align 8
  %712 = icmp sgt i64 %711, -1
  br i1 %712, label %650, label %713

713:                                              ; preds = %707, %639
  store i64 -1, ptr %531, align 8
  br label %721

714:                                              ; preds = %703, %604
  %715 = phi i64 [ %553, %604 ], [ %651, %703 ]
  store i64 %715, ptr %531, align 8
  %716 = icmp sgt i64 %715, -1
  br i1 %716, label %717, label %721

717:                                              ; preds = %714
  store i64 %715, ptr %544, align 8
  br label %721

718:                                              ; preds = %534
  %719 = getelementptr inbounds i8, ptr %536, i64 16
  %720 = load i64, ptr %719, align 8
  store i64 %720, ptr %531, align 8
  br label %721

721:                                              ; preds = %718, %717, %714, %713, %534, %529
  %722 = phi i64 [ -1, %713 ], [ %720, %718 ], [ %715, %717 ], [ %715, %714 ], [ -1, %534 ], [ -1, %529 ]
  %723 = icmp slt i64 %527, %43
  br i1 %723, label %724, label %731

724:                                              ; preds = %721, %728
  %725 = phi i64 [ %729, %728 ], [ %527, %721 ]
  %726 = getelementptr inbounds i8, ptr %44, i64 %725
  %727 = load i8, ptr %726, align 1
  switch i8 %727, label %731 [
    i8 32, label %728
    i8 13, label %728
    i8 9, label %728
    i8 10, label %728
  ]

728:                                              ; preds = %724, %724, %724, %724
  %729 = add i64 %725, 1
  %730 = icmp eq i64 %729, %43
  br i1 %730, label %751, label %724

731:                                              ; preds = %724, %721
  %732 = phi i64 [ %527, %721 ], [ %725, %724 ]
  %733 = icmp slt i64 %732, %43
  br i1 %733, label %734, label %751

734:                                              ; preds = %731
  %735 = getelementptr inbounds i8, ptr %44, i64 %732
  %736 = load i8, ptr %735, align 1
  %737 = icmp eq i8 %736, 58
  br i1 %737, label %738, label %751

738:                                              ; preds = %734
  %739 = add i64 %732, 1
  %740 = icmp slt i64 %739, %43
  br i1 %740, label %741, label %748

741:                                              ; preds = %738, %745
  %742 = phi i64 [ %746, %745 ], [ %739, %738 ]
  %743 = getelementptr inbounds i8, ptr %44, i64 %742
  %744 = load i8, ptr %743, align 1
  switch i8 %744, label %748 [
    i8 32, label %745
    i8 13, label %745
    i8 9, label %745
    i8 10, label %745
  ]

745:                                              ; preds = %741, %741, %741, %741
  %746 = add i64 %742, 1
  %747 = icmp eq i64 %746, %43
  br i1 %747, label %751, label %741

748:                                              ; preds = %741, %738
  %749 = phi i64 [ %739, %738 ], [ %742, %741 ]
  %750 = icmp slt i64 %749, %43
  br i1 %750, label %752, label %751

751:                                              ; preds = %748, %734, %731, %523, %728, %745
  br label %761

752:                                              ; preds = %748
  %753 = getelementptr inbounds i8, ptr %524, i64 24
  store i64 %749, ptr %753, align 8
  br label %754

754:                                              ; preds = %752, %477, %471, %468, %119, %116, %110
  %755 = phi i64 [ %749, %752 ], [ %460, %468 ], [ %460, %471 ], [ %100, %110 ], [ %100, %116 ], [ %460, %477 ], [ %100, %119 ]
  %756 = phi i64 [ %519, %752 ], [ %433, %468 ], [ %433, %471 ], [ %65, %110 ], [ %65, %116 ], [ %433, %477 ], [ %65, %119 ]
  %757 = phi i64 [ %518, %752 ], [ %258, %468 ], [ %258, %471 ], [ %70, %110 ], [ %70, %116 ], [ %258, %477 ], [ %70, %119 ]
  %758 = phi i64 [ %722, %752 ], [ -1, %468 ], [ -1, %471 ], [ -1, %110 ], [ %118, %116 ], [ %479, %477 ], [ -1, %119 ]
  %759 = getelementptr inbounds i8, ptr %44, i64 %755
  %760 = load i8, ptr %759, align 1
  br label %61

761:                                              ; preds = %51, %516, %99, %480, %459, %442, %69, %254, %96, %439, %456, %57, %54, %253, %429, %513, %751
  %762 = phi i64 [ -2, %96 ], [ -2, %513 ], [ -4, %429 ], [ -2, %253 ], [ -2, %456 ], [ -2, %54 ], [ -2, %57 ], [ -2, %254 ], [ -2, %751 ], [ -2, %439 ], [ -2, %516 ], [ -2, %99 ], [ -2, %480 ], [ -2, %459 ], [ -2, %442 ], [ -3, %69 ], [ -2, %51 ]
  %763 = trunc i64 %762 to i8
  %764 = xor i8 %763, -1
  br label %770

765:                                              ; preds = %510, %513
  %766 = icmp slt i64 %500, 0
  %767 = trunc i64 %500 to i8
  %768 = xor i8 %767, -1
  %769 = select i1 %766, i8 %768, i8 0
  br label %770

770:                                              ; preds = %765, %761
  %771 = phi i64 [ %500, %765 ], [ %762, %761 ]
  %772 = phi i8 [ %769, %765 ], [ %764, %761 ]
  %773 = load ptr, ptr %31, align 8
  %774 = getelementptr inbounds i8, ptr %773, i64 %36
  store i8 %772, ptr %774, align 1
  %775 = load ptr, ptr %10, align 8
  %776 = icmp eq ptr %775, null
  br i1 %776, label %782, label %777

777:                                              ; preds = %770
  %778 = icmp slt i64 %771, 0
  %779 = select i1 %778, i64 %35, i64 %771
  %780 = load ptr, ptr %32, align 8
  %781 = getelementptr inbounds i64, ptr %780, i64 %40
  store i64 %779, ptr %781, align 8
  br label %782

782:                                              ; preds = %770, %777
  %783 = phi i64 [ %779, %777 ], [ %35, %770 ]
  %784 = load i64, ptr %17, align 8
  %785 = icmp slt i64 %40, %784
  br i1 %785, label %34, label %33
}

define void @gather_texts(ptr %0, i64 %1, ptr %2, ptr %3, ptr %4, ptr %5) {
  %7 = icmp sgt i64 %1, 0
  br i1 %7, label %9, label %8

8:                                                ; preds = %30, %6
  ret void

9:                                                ; preds = %6, %30
  %10 = phi i64 [ %31, %30 ], [ 0, %6 ]
  %11 = getelementptr inbounds i64, ptr %2, i64 %10
  %12 = load i64, ptr %11, align 8
  %13 = icmp slt i64 %12, 0
  br i1 %13, label %30, label %14

14:                                               ; preds = %9
  %15 = getelementptr inbounds i8, ptr %0, i64 %12
  %16 = getelementptr inbounds i64, ptr %5, i64 %10
  %17 = load i64, ptr %16, align 8
  %18 = getelementptr inbounds i8, ptr %4, i64 %17
  %19 = getelementptr inbounds i64, ptr %3, i64 %10
  %20 = load i64, ptr %19, align 8
  %21 = sub i64 %20, %12
  %22 = icmp sgt i64 %21, 0
  br i1 %22, label %23, label %30

23:                                               ; preds = %14, %23
  %24 = phi i64 [ %28, %23 ], [ 0, %14 ]
  %25 = getelementptr inbounds i8, ptr %15, i64 %24
  %26 = load i8, ptr %25, align 1
  %27 = getelementptr inbounds i8, ptr %18, i64 %24
  store i8 %26, ptr %27, align 1
  %28 = add i64 %24, 1
  %29 = icmp eq i64 %28, %21
  br i1 %29, label %30, label %23

30:                                               ; preds = %23, %14, %9
  %31 = add i64 %10, 1
  %32 = icmp eq i64 %31, %1
  br i1 %32, label %8, label %9
}

define internal fastcc i64 @end_of_string(ptr %0, i64 %1, i64 %2, ptr %3) {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %45

6:                                                ; preds = %4, %42
  %7 = phi i64 [ %43, %42 ], [ %1, %4 ]
  %8 = add i64 %7, 1
  %9 = getelementptr inbounds i8, ptr %0, i64 %7
  %10 = load i8, ptr %9, align 1
  %11 = icmp eq i8 %10, 34
  br i1 %11, label %45, label %12

12:                                               ; preds = %6
  %13 = icmp ult i8 %10, 32
  br i1 %13, label %45, label %14

14:                                               ; preds = %12
  %15 = icmp eq i8 %10, 92
  br i1 %15, label %16, label %42

16:                                               ; preds = %14
  store i32 1, ptr %3, align 4
  %17 = icmp slt i64 %8, %2
  br i1 %17, label %18, label %45

18:                                               ; preds = %16
  %19 = add i64 %7, 2
  %20 = getelementptr inbounds i8, ptr %0, i64 %8
  %21 = load i8, ptr %20, align 1
  switch i8 %21, label %45 [
    i8 34, label %42
    i8 92, label %42
    i8 47, label %42
    i8 98, label %42
    i8 102, label %42
    i8 110, label %42
    i8 114, label %42
    i8 116, label %42
    i8 117, label %22
  ]

22:                                               ; preds = %18
  %23 = sub i64 %2, %19
  %24 = icmp slt i64 %23, 4
  br i1 %24, label %45, label %25

25:                                               ; preds = %22
  %26 = getelementptr i8, ptr %0, i64 %19
  br label %30

27:                                               ; preds = %30
  %28 = add i64 %31, 1
  %29 = icmp eq i64 %28, 4
  br i1 %29, label %40, label %30

30:                                               ; preds = %25, %27
  %31 = phi i64 [ 0, %25 ], [ %28, %27 ]
  %32 = getelementptr i8, ptr %26, i64 %31
  %33 = load i8, ptr %32, align 1
  %34 = add i8 %33, -58
  %35 = icmp ult i8 %34, -10
  %36 = and i8 %33, -33
  %37 = add i8 %36, -71
  %38 = icmp ult i8 %37, -6
  %39 = and i1 %35, %38
  br i1 %39, label %45, label %27

40:                                               ; preds = %27
  %41 = add i64 %7, 6
  br label %42

42:                                               ; preds = %18, %18, %18, %18, %18, %18, %18, %18, %40, %14
  %43 = phi i64 [ %19, %18 ], [ %41, %40 ], [ %8, %14 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ]
  %44 = icmp slt i64 %43, %2
  br i1 %44, label %6, label %45

45:                                               ; preds = %42, %6, %12, %22, %18, %16, %30, %4
  %46 = phi i64 [ -1, %30 ], [ -1, %4 ], [ %8, %6 ], [ -1, %12 ], [ -1, %22 ], [ -1, %18 ], [ -1, %42 ], [ -1, %16 ]
  ret i64 %46
}

define internal fastcc i32 @spelled(ptr %0, ptr %1, ptr %2) {
  %4 = load i64, ptr %1, align 8
  %5 = add i64 %4, 1
  store i64 %5, ptr %1, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 %4
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 92
  br i1 %8, label %10, label %9

9:                                                ; preds = %3
  store i8 %7, ptr %2, align 1
  br label %121

10:                                               ; preds = %3
  %11 = add i64 %4, 2
  store i64 %11, ptr %1, align 8
  %12 = getelementptr inbounds i8, ptr %0, i64 %5
  %13 = load i8, ptr %12, align 1
  switch i8 %13, label %15 [
    i8 117, label %21
    i8 98, label %19
    i8 102, label %16
    i8 110, label %17
    i8 114, label %18
    i8 116, label %14
  ]

14:                                               ; preds = %10
  br label %19

15:                                               ; preds = %10
  br label %19

16:                                               ; preds = %10
  br label %19

17:                                               ; preds = %10
  br label %19

18:                                               ; preds = %10
  br label %19

19:                                               ; preds = %14, %10, %18, %17, %16, %15
  %20 = phi i8 [ 8, %10 ], [ 10, %17 ], [ 12, %16 ], [ %13, %15 ], [ 13, %18 ], [ 9, %14 ]
  store i8 %20, ptr %2, align 1
  br label %121

21:                                               ; preds = %10
  %22 = getelementptr inbounds i8, ptr %0, i64 %11
  br label %23

23:                                               ; preds = %23, %21
  %24 = phi i64 [ 0, %21 ], [ %36, %23 ]
  %25 = phi i32 [ 0, %21 ], [ %35, %23 ]
  %26 = shl i32 %25, 4
  %27 = getelementptr inbounds i8, ptr %22, i64 %24
  %28 = load i8, ptr %27, align 1
  %29 = zext i8 %28 to i32
  %30 = icmp ult i8 %28, 58
  %31 = add i32 %29, -48
  %32 = or i32 %29, 32
  %33 = add i32 %32, -87
  %34 = select i1 %30, i32 %31, i32 %33
  %35 = add i32 %34, %26
  %36 = add i64 %24, 1
  %37 = icmp eq i64 %36, 4
  br i1 %37, label %38, label %23

38:                                               ; preds = %23
  %39 = add i64 %4, 6
  store i64 %39, ptr %1, align 8
  %40 = icmp ult i32 %35, 128
  br i1 %40, label %41, label %43

41:                                               ; preds = %38
  %42 = trunc i32 %35 to i8
  store i8 %42, ptr %2, align 1
  br label %121

43:                                               ; preds = %38
  %44 = icmp ult i32 %35, 2048
  br i1 %44, label %45, label %53

45:                                               ; preds = %43
  %46 = lshr i32 %35, 6
  %47 = trunc i32 %46 to i8
  %48 = or i8 %47, -64
  store i8 %48, ptr %2, align 1
  %49 = trunc i32 %35 to i8
  %50 = and i8 %49, 63
  %51 = or i8 %50, -128
  %52 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %51, ptr %52, align 1
  br label %121

53:                                               ; preds = %43
  %54 = and i32 %35, -1024
  %55 = icmp eq i32 %54, 55296
  br i1 %55, label %56, label %108

56:                                               ; preds = %53
  %57 = getelementptr inbounds i8, ptr %0, i64 %39
  %58 = load i8, ptr %57, align 1
  %59 = icmp eq i8 %58, 92
  br i1 %59, label %60, label %108

60:                                               ; preds = %56
  %61 = getelementptr i8, ptr %22, i64 5
  %62 = load i8, ptr %61, align 1
  %63 = icmp eq i8 %62, 117
  br i1 %63, label %64, label %108

64:                                               ; preds = %60
  %65 = getelementptr inbounds i8, ptr %57, i64 2
  br label %66

66:                                               ; preds = %66, %64
  %67 = phi i64 [ 0, %64 ], [ %79, %66 ]
  %68 = phi i32 [ 0, %64 ], [ %78, %66 ]
  %69 = shl i32 %68, 4
  %70 = getelementptr inbounds i8, ptr %65, i64 %67
  %71 = load i8, ptr %70, align 1
  %72 = zext i8 %71 to i32
  %73 = icmp ult i8 %71, 58
  %74 = add i32 %72, -48
  %75 = or i32 %72, 32
  %76 = add i32 %75, -87
  %77 = select i1 %73, i32 %74, i32 %76
  %78 = add i32 %77, %69
  %79 = add i64 %67, 1
  %80 = icmp eq i64 %79, 4
  br i1 %80, label %81, label %66

81:                                               ; preds = %66
  %82 = and i32 %78, -1024
  %83 = icmp eq i32 %82, 56320
  br i1 %83, label %84, label %108

84:                                               ; preds = %81
  %85 = add i64 %4, 12
  store i64 %85, ptr %1, align 8
  %86 = shl i32 %35, 10
  %87 = and i32 %86, 1047552
  %88 = and i32 %78, 1023
  %89 = or i32 %88, %87
  %90 = add i32 %89, 65536
  %91 = lshr i32 %90, 18
  %92 = trunc i32 %91 to i8
  %93 = or i8 %92, -16
  store i8 %93, ptr %2, align 1
  %94 = lshr i32 %90, 12
  %95 = trunc i32 %94 to i8
  %96 = and i8 %95, 63
  %97 = or i8 %96, -128
  %98 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %97, ptr %98, align 1
  %99 = lshr i32 %89, 6
  %100 = trunc i32 %99 to i8
  %101 = and i8 %100, 63
  %102 = or i8 %101, -128
  %103 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %102, ptr %103, align 1
  %104 = trunc i32 %78 to i8
  %105 = and i8 %104, 63
  %106 = or i8 %105, -128
  %107 = getelementptr inbounds i8, ptr %2, i64 3
  store i8 %106, ptr %107, align 1
  br label %121

108:                                              ; preds = %81, %60, %56, %53
  %109 = lshr i32 %35, 12
  %110 = trunc i32 %109 to i8
  %111 = or i8 %110, -32
  store i8 %111, ptr %2, align 1
  %112 = lshr i32 %35, 6
  %113 = trunc i32 %112 to i8
  %114 = and i8 %113, 63
  %115 = or i8 %114, -128
  %116 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %115, ptr %116, align 1
  %117 = trunc i32 %35 to i8
  %118 = and i8 %117, 63
  %119 = or i8 %118, -128
  %120 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %119, ptr %120, align 1
  br label %121

121:                                              ; preds = %84, %41, %45, %108, %19, %9
  %122 = phi i32 [ 1, %9 ], [ 1, %19 ], [ 1, %41 ], [ 2, %45 ], [ 3, %108 ], [ 4, %84 ]
  ret i32 %122
}
